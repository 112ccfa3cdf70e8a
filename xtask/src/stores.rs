//! Real data stores for the tests of guard code: private servers on loopback, started for one run and stopped after it.

use std::fs;
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::debian::{self, Need};
use crate::shell::{self, Failure};

/// How long a server may take until it answers.
const PATIENCE: Duration = Duration::from_secs(60);

const NEEDS: &[Need] = &[
    Need { programs: &["postgres"], packages: &["postgresql"] },
    Need { programs: &["psql"], packages: &["postgresql-client"] },
    Need { programs: &["mariadbd"], packages: &["mariadb-server"] },
    Need { programs: &["mariadb"], packages: &["mariadb-client"] },
    Need { programs: &["redis-server"], packages: &["redis-server"] },
    Need { programs: &["redis-cli"], packages: &["redis-tools"] },
];

/// Makes sure that the servers and their clients are here.
///
/// # Errors
/// One is missing and cannot be installed.
pub fn ready() -> Result<(), Failure> {
    debian::ensure(NEEDS, "guard code is run on the real stores")
}

/// The running servers. They stop when this goes away.
pub struct Servers {
    children: Vec<Child>,
    folder: PathBuf,
    /// What the tests are told: the name of a variable and its value.
    pub variables: Vec<(&'static str, String)>,
}

impl Servers {
    /// Starts all of them, each on a free port and in an empty folder.
    ///
    /// # Errors
    /// One does not start.
    pub fn start() -> Result<Self, Failure> {
        // Not below the clone: a server that does not run as root could not go through its folders. A socket's path is short, too.
        let folder = std::env::temp_dir().join(format!("fenceline-stores-{}", std::process::id()));
        // Not one that is there already: whoever made it could have put something into it.
        fs::create_dir(&folder)
            .map_err(|error| Failure::new(format!("no folder for the stores, {}: {error}", folder.display())))?;
        let mut servers = Self { children: Vec::new(), folder, variables: Vec::new() };
        servers.postgresql()?;
        servers.mariadb()?;
        servers.redis()?;
        Ok(servers)
    }

    fn postgresql(&mut self) -> Result<(), Failure> {
        let folder = self.folder_for("postgres")?;
        let (data, port) = (folder.join("data"), free_port()?);
        quietly(as_user("postgres", &program("initdb")?).arg("--pgdata").arg(&data).args([
            "--username=fenceline",
            "--auth=trust",
            "--encoding=UTF8",
            "--no-sync",
        ]))?;
        let mut server = as_user("postgres", &program("postgres")?);
        server.arg("-D").arg(&data).arg("-k").arg(&folder).args(["-h", "127.0.0.1", "-c", "fsync=off", "-p"]);
        let mut asks = client("psql")?;
        asks.args([
            "-X",
            "-h",
            "127.0.0.1",
            "-U",
            "fenceline",
            "-d",
            "postgres",
            "-c",
            "SELECT 1",
            "-p",
            &port.to_string(),
        ]);
        self.spawn("PostgreSQL", server.arg(port.to_string()), asks)?;
        self.variables.push(("FENCELINE_POSTGRESQL", port.to_string()));
        Ok(())
    }

    fn mariadb(&mut self) -> Result<(), Failure> {
        let folder = self.folder_for("mysql")?;
        let (data, port) = (folder.join("data"), free_port()?);
        let data = |command: &mut Command| {
            command.arg(["--datadir=", &data.to_string_lossy()].concat());
        };
        let mut install = as_user("mysql", &program("mariadb-install-db")?);
        // What a machine's own server is told in /etc is not for this one.
        install.args(["--no-defaults", "--auth-root-authentication-method=normal", "--skip-test-db"]);
        data(&mut install);
        quietly(&mut install)?;
        let mut server = as_user("mysql", &program("mariadbd")?);
        server.args([
            "--no-defaults",
            "--bind-address=127.0.0.1",
            "--skip-log-bin",
            "--innodb-flush-log-at-trx-commit=0",
        ]);
        data(&mut server);
        server.arg(["--socket=", &folder.join("socket").to_string_lossy()].concat());
        server.arg(["--pid-file=", &folder.join("pid").to_string_lossy()].concat());
        let mut asks = client("mariadb")?;
        asks.args([
            "--no-defaults",
            "--host=127.0.0.1",
            "--user=root",
            "--execute=SELECT 1",
            &format!("--port={port}"),
        ]);
        self.spawn("MariaDB", server.arg(format!("--port={port}")), asks)?;
        self.variables.push(("FENCELINE_MARIADB", port.to_string()));
        Ok(())
    }

    fn redis(&mut self) -> Result<(), Failure> {
        let (folder, port) = (self.folder_for("redis")?, free_port()?);
        let mut server = shell::program(program("redis-server")?);
        server.args(["--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir"]).arg(&folder);
        let mut asks = client("redis-cli")?;
        asks.args(["-e", "-p", &port.to_string(), "PING"]);
        self.spawn("Redis", server.args(["--port", &port.to_string()]), asks)?;
        self.variables.push(("FENCELINE_REDIS", port.to_string()));
        Ok(())
    }

    /// An empty folder that belongs to the user as whom a server runs.
    fn folder_for(&self, user: &str) -> Result<PathBuf, Failure> {
        let folder = self.folder.join(user);
        fs::create_dir_all(&folder).map_err(|error| Failure::new(format!("no folder for {user}: {error}")))?;
        if debian::is_root() && user != "redis" {
            quietly(shell::program("chown").arg(user).arg(&folder))?;
        }
        Ok(folder)
    }

    /// Starts a server and waits until it answers what its client asks: it takes connections before it is ready for them.
    fn spawn(&mut self, name: &str, command: &mut Command, mut asks: Command) -> Result<(), Failure> {
        let log = self.folder.join([name, ".log"].concat());
        let to_log =
            || fs::OpenOptions::new().create(true).append(true).open(&log).map_or_else(|_| Stdio::null(), Stdio::from);
        command.stdin(Stdio::null()).stdout(to_log()).stderr(to_log());
        let mut child = command.spawn().map_err(|error| Failure::new(format!("{name} cannot be started: {error}")))?;
        let start = Instant::now();
        let answers = loop {
            if quietly(&mut asks).is_ok() {
                break true;
            }
            if start.elapsed() > PATIENCE || !matches!(child.try_wait(), Ok(None)) {
                break false;
            }
            sleep(Duration::from_millis(50));
        };
        self.children.push(child);
        if answers {
            println!("{name} answers.");
            return Ok(());
        }
        let said = fs::read_to_string(&log).unwrap_or_default();
        let last: Vec<_> = said.lines().rev().take(8).collect();
        let last: Vec<_> = last.into_iter().rev().collect();
        Err(Failure::new(format!("{name} does not answer. It said last:\n{}", last.join("\n"))))
    }
}

impl Drop for Servers {
    fn drop(&mut self) {
        // Asked first, so that they give back what the system lent them; then told. There is nobody to tell when that fails.
        for child in &self.children {
            let _ = shell::program("kill").args(["-TERM", &child.id().to_string()]).status();
        }
        let asked = Instant::now();
        for child in &mut self.children {
            while asked.elapsed() < Duration::from_secs(10) && matches!(child.try_wait(), Ok(None)) {
                sleep(Duration::from_millis(20));
            }
            let _ = child.kill();
            let _ = child.wait();
        }
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn program(name: &'static str) -> Result<PathBuf, Failure> {
    let names: &'static [&'static str] = match name {
        "postgres" => &["postgres"],
        "initdb" => &["initdb"],
        "mariadbd" => &["mariadbd"],
        "mariadb-install-db" => &["mariadb-install-db"],
        _ => &["redis-server"],
    };
    Need { programs: names, packages: &[] }.find().ok_or_else(|| Failure::new(format!("{name} is missing")))
}

/// A client, which runs as whoever runs this.
fn client(name: &'static str) -> Result<Command, Failure> {
    shell::on_path(name).map(shell::program).ok_or_else(|| Failure::new(format!("{name} is missing")))
}

/// A program as a user of its own: servers refuse to run as root.
fn as_user(user: &str, program: &Path) -> Command {
    if !debian::is_root() {
        return shell::program(program);
    }
    let mut command = Command::new("setpriv");
    command.args([&format!("--reuid={user}"), &format!("--regid={user}"), "--clear-groups"]);
    // A folder that the user may not enter is no place to start in.
    command.arg(program).current_dir("/");
    command
}

/// Runs a command that says nothing unless it fails.
fn quietly(command: &mut Command) -> Result<(), Failure> {
    let output = command
        .stdin(Stdio::null())
        .output()
        .map_err(|error| Failure::new(format!("`{}` cannot be started: {error}", shell::line(command))))?;
    if output.status.success() {
        return Ok(());
    }
    let said = [output.stdout, output.stderr].concat();
    Err(Failure::new(format!("`{}` failed:\n{}", shell::line(command), String::from_utf8_lossy(&said))))
}

fn free_port() -> Result<u16, Failure> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, 0))
        .and_then(|listener| listener.local_addr())
        .map(|address| address.port())
        .map_err(|error| Failure::new(format!("there is no free port: {error}")))
}
