import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const base = "/";

/** Runs fenceline. One that fails, fails the build. */
function fenceline(args, input = "", cwd = root) {
  const run = spawnSync("fenceline", args, { input, cwd, encoding: "utf8" });
  if (run.status !== 0) throw run.error ?? new Error(run.stdout + run.stderr);
  return run.stdout.trim();
}

const escaped = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** A fenceline block as a figure: the picture, the link, and the element that brings it to life. */
function figure(block, folder) {
  const picture = fenceline(["render", "-"], block, folder);
  const link = escaped(`${base}play/index.html${fenceline(["link", "-"], block, folder)}`);
  // Both parts are escaped already.
  const told = ["title", "desc"].map((part) => picture.match(`<${part}>([^<]*)</${part}>`)?.[1]).filter(Boolean).join(". ");
  const data = Buffer.from(picture).toString("base64");
  return `<fence-line v-pre src="${link}"><figure style="margin: 0"><img src="data:image/svg+xml;base64,${data}"
    alt="${told.replaceAll('"', "&quot;")}"><figcaption><a href="${link}" target="_self">Open in the playground</a></figcaption></figure></fence-line>`;
}

// What the pages claim, before anything is built.
fenceline(["check", "."]);

export default {
  title: "Leases",
  base,
  // A living figure needs the built page at public/play/ (the contents of dist/). Without it the pictures and links remain.
  head: existsSync(join(root, "public/play")) ? [["script", { type: "module", src: `${base}play/fence-line.js` }]] : [],
  vue: { template: { compilerOptions: { isCustomElement: (tag) => tag === "fence-line" } } },
  markdown: {
    config(md) {
      const others = md.renderer.rules.fence;
      md.renderer.rules.fence = (tokens, index, options, env, self) =>
        tokens[index].info.trim() === "fenceline"
          ? figure(tokens[index].content, dirname(join(root, env.relativePath ?? "index.md")))
          : others(tokens, index, options, env, self);
    },
  },
};
