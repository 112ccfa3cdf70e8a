// Loads the page, and speaks up when that fails.
//
// It is JavaScript because it has to work where the compiled page does not: before it is loaded, when the browser cannot run it,
// and after it has stopped. Trunk writes the two addresses below into the tag that loads this file (see Trunk.toml).

const root = document.documentElement;
document.getElementById("unread")?.remove();
// A module script has no `document.currentScript`.
const tag = document.querySelector("script[data-js][data-wasm]");

// The chosen theme shows before the compiled page is there; it keeps it under this name (src/platform/theme.rs).
try {
  const theme = localStorage.getItem("fenceline.theme");
  if (!root.dataset.theme && (theme === "light" || theme === "dark")) root.dataset.theme = theme;
} catch {
  // Storage is refused in a sandboxed frame: the system's theme stays.
}

/** Shows one message over whatever is on the page. Only the first one counts: what follows is its consequence. */
function say(title, sentence) {
  if (document.getElementById("boot-message")) return;
  const box = document.createElement("section");
  box.id = "boot-message";
  box.setAttribute("role", "alert");
  const heading = document.createElement("h1");
  heading.textContent = title;
  const text = document.createElement("p");
  text.textContent = sentence;
  const reload = document.createElement("button");
  reload.type = "button";
  reload.textContent = "Reload";
  reload.addEventListener("click", () => location.reload());
  box.append(heading, text, reload);
  document.body.prepend(box);
  // A page that embeds this one shows its picture again (docs/src/embedding.md).
  if (parent !== window) parent.postMessage({ fenceline: 1, type: "error", code: "failed", message: `${title}. ${sentence}`, problems: [] }, "*");
}

// The compiled page sets `data-failed` when it panics: it cannot be called again after that, so the message is drawn here.
new MutationObserver(() => {
  if (!root.hasAttribute("data-failed")) return;
  say("Something broke", "This is a mistake in Fenceline, not in your scenario. The page has stopped; reload it to go on.");
}).observe(root, { attributes: true, attributeFilter: ["data-failed"] });

// A trap that no panic announced, such as running out of stack, ends the page just the same.
function trapped(problem) {
  if (problem instanceof WebAssembly.RuntimeError) root.setAttribute("data-failed", "");
}

/** The element that holds a file, when the page is one file (xtask/src/bundle.rs); null where files lie beside it. */
function holder(name) {
  return document.getElementById(`file:${name.replace(/^\.\//, "").replace(/\?.*/, "")}`);
}

/** A file that the page carries in itself; null where files lie beside it. */
function carried(name) {
  const element = holder(name);
  return element && Uint8Array.from(atob(element.textContent), (character) => character.charCodeAt(0));
}

/** A compiled module, ready for use. */
async function compiled(js, wasm) {
  const code = carried(js);
  const at = code ? URL.createObjectURL(new Blob([code], { type: "text/javascript" })) : new URL(js, document.baseURI);
  let module;
  try {
    module = await import(at);
  } finally {
    if (code) URL.revokeObjectURL(at);
  }
  await module.default({ module_or_path: carried(wasm) ?? new URL(wasm, document.baseURI) });
  return module;
}

async function load() {
  if (typeof WebAssembly !== "object") {
    say("This browser cannot run Fenceline", "WebAssembly is missing or turned off. A current Firefox, Chrome, Edge or Safari has it.");
    return;
  }
  addEventListener("error", (event) => trapped(event.error));
  addEventListener("unhandledrejection", (event) => trapped(event.reason));
  try {
    await compiled(tag.dataset.js, tag.dataset.wasm);
  } catch (problem) {
    console.error(problem);
    if (problem instanceof WebAssembly.RuntimeError) trapped(problem);
    else say("Fenceline did not load", `A file of the page is missing or could not be read (${problem}). Check the connection, then reload.`);
  }
}

// Further modules of the page, loaded when they are asked for (src/platform/exporter.rs, explorer.rs). Their names are the same in
// every version, so the address says which one this page is of.
const version = tag.dataset.js.match(/-([0-9a-f]+)\.js$/)?.[1] ?? "";
const beside = (file, asked) => `${tag.dataset.js.replace(/[^/]*$/, "")}${file}${asked}`;
const modules = new Map();
let failures = 0;
globalThis.fencelineModule = (name) => {
  if (!modules.has(name)) {
    // A browser that could not load an address may never try it again: after a failure it is another one.
    const asked = failures ? `?v=${version}&again=${failures}` : `?v=${version}`;
    const loading = compiled(beside(`${name}.js`, asked), beside(`${name}_bg.wasm`, asked));
    modules.set(name, loading);
    loading.catch(() => {
      modules.delete(name);
      failures += 1;
    });
  }
  return modules.get(name);
};

// The explorer in a worker of its own; null where there can be none, and then the page runs it itself. A frame without an origin
// of its own, as a sandboxed one, may not start a worker from an address, and a page that is one file has no address to give: a
// worker that it starts from its own text may not load the module from there. Asking would only fill its console.
globalThis.fencelineWorker = () => {
  const at = (file) => new URL(beside(file, `?v=${version}`), document.baseURI).href;
  if (typeof Worker !== "function" || origin === "null" || holder(beside("fenceline-explorer.js", ""))) return null;
  try {
    const worker = new Worker(at("explorer.js"));
    worker.postMessage({ js: at("fenceline-explorer.js"), wasm: at("fenceline-explorer_bg.wasm") });
    return worker;
  } catch {
    return null;
  }
};

load();
