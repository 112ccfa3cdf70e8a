// The element <fence-line>: a picture that becomes a living figure when somebody wants it to.
//
// It is JavaScript because it runs in other people's pages, where it must cost nothing until it is used. The figure itself is the
// built page in a sandboxed frame. docs/src/embedding.md describes attributes, methods, events and the messages between the two.
//
// Invariants: what stands between the element's tags is shown until the figure is ready, whenever it fails, and in print; only
// the figure's own window is listened to; nothing of what it says becomes markup.

const VERSION = 1;
const MOST_TEXT = 64 * 1024;
const LOWEST = 160;
const HIGHEST = 2400;
/** How long a figure may take to be there, and to answer, in milliseconds. */
const PATIENCE = 30_000;

const OPTIONS = ["guard", "controls", "predict", "step"];
const DARK = new Set(["dark", "coal", "navy", "ayu", "slate"]);
const LIGHT = new Set(["light", "rust", "default"]);
const MARKS = ["data-theme", "data-md-color-scheme", "data-bs-theme", "data-color-mode"];

const sheet = new CSSStyleSheet();
sheet.replaceSync(`
  :host { display: block; position: relative; }
  :host([hidden]) { display: none; }
  :host([data-scheme="light"]) { color-scheme: light; }
  :host([data-scheme="dark"]) { color-scheme: dark; }
  button { margin: 8px 0 0; min-height: 36px; padding: 0 14px; border: 1px solid; border-radius: 8px; background: none; color: inherit; font: inherit; font-weight: 600; cursor: pointer; }
  button:focus-visible { outline: 2px solid; outline-offset: 2px; }
  button[aria-disabled="true"] { opacity: .7; cursor: progress; }
  iframe { display: block; box-sizing: border-box; width: 100%; border: 0; }
  .frame:not(.live) { position: absolute; inset: 0 0 auto; visibility: hidden; pointer-events: none; }
  @media screen { .live ~ slot, .live ~ button { display: none; } }
  @media print { button, .frame:not(.only) { display: none; } }
`);

/** Light or dark, as this page says that it is; the system's choice where it says nothing. */
function scheme(asked) {
  if (asked === "light" || asked === "dark") return asked;
  for (const root of [document.body, document.documentElement]) {
    for (const word of [...MARKS.map((mark) => root?.getAttribute(mark)), ...(root?.classList ?? [])]) {
      if (DARK.has(word)) return "dark";
      if (LIGHT.has(word)) return "light";
    }
  }
  const stated = getComputedStyle(document.documentElement).colorScheme.replace("only", "").trim();
  if (stated === "light" || stated === "dark") return stated;
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

/** An error with the code and the problems that the figure told. */
function failure({ code, message, problems }) {
  return Object.assign(new Error(String(message)), { code: String(code), problems: Array.isArray(problems) ? problems : [] });
}

/** The language that an element is in, as HTML has it: the nearest one that is stated, out of shadow roots too. */
function language(element) {
  for (let at = element; at; at = at.getRootNode().host) {
    const stated = at.closest("[lang]");
    if (stated) return stated.getAttribute("lang") || "en";
  }
  return "en";
}

/** Where a built page is. A frame takes any address, a script or a document in itself too; this one has to be a place. */
function place(address) {
  const page = URL.canParse(address, document.baseURI) ? new URL(address, document.baseURI) : null;
  const isPlace = page?.href.startsWith(`${page.protocol}//`);
  // From a disk to a disk; what comes from a server has no business there.
  if (!isPlace || !["http:", "https:", location.protocol].includes(page.protocol)) {
    throw failure({ code: "source", message: `page: ${address} is no address that a built page can be at.` });
  }
  if (!/\.html?$/.test(page.pathname)) page.pathname = page.pathname.replace(/\/?$/, "/index.html");
  return page;
}

/** What is to be shown, as text: a document's JSON, or a link. */
function written(what) {
  if (typeof what === "string") return what.trim();
  let text;
  try {
    text = JSON.stringify(what);
  } catch {
    // It holds itself, or something that JSON does not have.
  }
  if (text?.startsWith("{")) return text;
  throw failure({ code: "shape", message: "What can be shown is a document, its JSON, or a link." });
}

/** A text is not longer than a document may be. */
function fits(text, what) {
  if (text.length > MOST_TEXT) throw failure({ code: "size", message: `${what} has at most ${MOST_TEXT} characters.` });
  return text;
}

/** What is shown, as a host works with it: the document as a value. */
const shown = ({ fragment, scenario }) => ({ fragment: String(fragment), scenario: JSON.parse(scenario) });

export class FenceLine extends HTMLElement {
  /** Where the built page is, for every element that does not say it itself. Beside this module, unless it is bundled. */
  static page = new URL(".", import.meta.url).href;
  static observedAttributes = ["src", "theme", "height", "loading", "page", "label", ...OPTIONS];

  #root = this.attachShadow({ mode: "open" });
  #box = document.createElement("div");
  #button = document.createElement("button");
  /** The frame with what is asked of it and not yet answered; none while there is only the picture. */
  #open = null;
  /** What it shows while it is open, with what a reader made of it: shown again when the element was moved. */
  #fragment = null;
  #ids = 0;
  #parts = null;
  #sight = null;

  constructor() {
    super();
    this.#root.adoptedStyleSheets = [sheet];
    this.#box.className = "frame";
    this.#button.type = "button";
    this.#button.part = "button";
    this.#button.addEventListener("click", () => this.open().catch(() => {}));
    this.#root.append(this.#box, document.createElement("slot"), this.#button);
  }

  connectedCallback() {
    const parts = (this.#parts = new AbortController());
    const follow = () => this.#follow();
    addEventListener("message", (event) => this.#hear(event), { signal: parts.signal });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", follow, { signal: parts.signal });
    const marks = new MutationObserver(follow);
    for (const root of [document.documentElement, document.body]) {
      marks.observe(root, { attributeFilter: ["class", "style", ...MARKS] });
    }
    const sight = (this.#sight = new IntersectionObserver((seen) => {
      if (seen.some((entry) => entry.isIntersecting) && this.getAttribute("loading") === "lazy" && !this.#open) {
        // Once: what did not load is not loaded again at every scroll.
        this.open().catch(() => sight.disconnect());
      }
    }, { rootMargin: "200px" }));
    sight.observe(this);
    parts.signal.addEventListener("abort", () => {
      marks.disconnect();
      sight.disconnect();
    });
    this.#name();
    follow();
    if (this.#fragment !== null) this.open().catch(() => {});
  }

  /** A browser that moves an element as it is leaves the figure as it is. */
  connectedMoveCallback() {}

  disconnectedCallback() {
    this.#parts?.abort();
    this.#close({ code: "closed", message: "The figure was taken out of the page." });
  }

  attributeChangedCallback(name, before, after) {
    if (before === after) return;
    if (name === "src") this.#fragment = null;
    if (!this.isConnected) return;
    if (name === "theme") this.#follow();
    else if (name === "label") this.#name();
    else if (name === "loading") {
      this.#sight?.unobserve(this);
      this.#sight?.observe(this);
    } else if (this.#open) {
      this.#close({ code: "superseded", message: "Something else was asked of the figure meanwhile." });
      this.open().catch(() => {});
    }
  }

  /** Whether the living figure is there. */
  get live() {
    return this.#open?.live ?? false;
  }

  /** Brings the living figure. */
  open() {
    if (!this.#open) {
      const open = (this.#open = { asked: new Map(), stop: new AbortController(), live: false, height: 0, before: 0, at: 0 });
      open.ready = new Promise((done, fail) => Object.assign(open, { done, fail }));
      open.timer = setTimeout(() => this.#fail({ code: "timeout", message: "The figure did not load." }), PATIENCE);
      this.#button.setAttribute("aria-disabled", "true");
      this.#load(open).catch((problem) => {
        if (this.#open === open) this.#fail({ code: problem.code ?? "source", message: problem.message });
      });
    }
    return this.#open.ready;
  }

  /** Puts the living figure away: the picture is there again. */
  close() {
    this.#fragment = null;
    this.#close({ code: "closed", message: "The figure was closed." });
  }

  /** What is shown now. */
  async get() {
    return shown(await this.#ask({ type: "get" }));
  }

  /** Shows another scenario: a value, its JSON, or a link. */
  async set(scenario) {
    const text = fits(written(scenario), "A scenario or link");
    return shown(await this.#ask({ type: "set", [text.startsWith("{") ? "scenario" : "link"]: text }));
  }

  async #load(open) {
    const fragment = this.#fragment ?? (await this.#source(open.stop.signal));
    if (this.#open !== open) return;
    this.#fragment = fragment;
    const page = place(this.getAttribute("page") ?? FenceLine.page);
    page.searchParams.set("embed", "1");
    page.searchParams.set("theme", scheme(this.getAttribute("theme")));
    for (const name of [...OPTIONS, "height"]) {
      if (this.hasAttribute(name)) page.searchParams.set(name, this.getAttribute(name) || "1");
    }
    page.searchParams.set("lang", language(this));
    page.hash = fragment;
    const frame = (open.frame = document.createElement("iframe"));
    frame.title = this.#title();
    // Without an origin of its own it can read nothing of this page or its site. The playground that a link of it opens is a page
    // like any other: it may keep work and hand out files.
    frame.setAttribute("sandbox", "allow-scripts allow-popups allow-popups-to-escape-sandbox");
    frame.referrerPolicy = "no-referrer";
    frame.allow = "clipboard-write";
    frame.src = page.href;
    this.#size(open, this.#fixed() || 480);
    this.#box.replaceChildren(frame);
  }

  /** The fragment of the page's address that shows what this element is to show. */
  async #source(signal) {
    const src = this.getAttribute("src")?.trim() ?? "";
    const inline = this.querySelector('script[type="application/json"]')?.textContent;
    if (!src) return inline ? this.#document(inline) : "";
    if (src.includes("#")) return src.slice(src.indexOf("#") + 1);
    if (/^[ps]=/.test(src)) return src;
    if (/^[a-z0-9-]+$/.test(src)) return `p=${src}`;
    const answer = await fetch(new URL(src, document.baseURI), { signal });
    if (!answer.ok) throw failure({ code: "source", message: `${src}: the server answered ${answer.status}.` });
    // No more of it than a document has: whoever named it may not know what comes.
    const pieces = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    for (let piece; (piece = await pieces?.read()) && !piece.done; ) text = fits(text + piece.value, "A scenario");
    return this.#document(text);
  }

  #document(text) {
    return `s=${encodeURIComponent(fits(text, "A scenario").trim())}`;
  }

  /** What the picture is called. */
  #title() {
    const caption = this.querySelector("figcaption")?.cloneNode(true);
    for (const link of caption?.querySelectorAll("a") ?? []) link.remove();
    const words = this.getAttribute("aria-label") || caption?.textContent || this.querySelector("img")?.alt;
    return words?.trim().slice(0, 300) || "A schedule of leases and writes";
  }

  #name() {
    const label = this.getAttribute("label");
    this.#button.textContent = label || "Try it";
    // The words of this module are English; the page's own are in its own language.
    this.#button.toggleAttribute("lang", !label);
    if (!label) this.#button.lang = "en";
  }

  #follow() {
    const theme = scheme(this.getAttribute("theme"));
    if (this.dataset.scheme === theme) return;
    this.dataset.scheme = theme;
    if (this.live) this.#post({ type: "theme", theme });
  }

  /** The height that the author gave it, where that is one; the figure judges it in the same way. */
  #fixed() {
    const text = this.getAttribute("height") ?? "";
    return /^\d{3,4}$/.test(text) && text >= LOWEST && text <= HIGHEST ? Number(text) : 0;
  }

  #size(open, told) {
    const now = performance.now();
    const next = this.#fixed() || Math.min(Math.max(Math.ceil(told), LOWEST), HIGHEST);
    // A scroll bar of this page that comes and goes with the height would have the two wait on each other for ever.
    if (next === open.height || (next === open.before && next < open.height && now - open.at < 500)) return;
    Object.assign(open, { before: open.height, height: next, at: now });
    open.frame.style.height = `${next}px`;
  }

  #post(message) {
    // A sandboxed frame has no origin that could be named. Nothing in here is secret.
    this.#open?.frame?.contentWindow?.postMessage({ fenceline: VERSION, ...message }, "*");
  }

  async #ask(message) {
    await this.open();
    const open = this.#open;
    const id = ++this.#ids;
    return new Promise((done, fail) => {
      const timer = setTimeout(() => answer({ type: "error", code: "timeout", message: "The figure did not answer." }), PATIENCE);
      const answer = (said) => {
        clearTimeout(timer);
        open.asked.delete(id);
        if (said.type === "error") fail(failure(said));
        else done(said);
      };
      open.asked.set(id, answer);
      this.#post({ ...message, id });
    });
  }

  #hear({ source, origin, data }) {
    const open = this.#open;
    if (!open?.frame || source !== open.frame.contentWindow || origin !== "null" || data?.fenceline !== VERSION) return;
    if (open.asked.has(data.id)) {
      if (data.fragment !== undefined) this.#fragment = String(data.fragment);
      open.asked.get(data.id)(data);
      return;
    }
    if ((data.type === "ready" || data.type === "height") && Number.isFinite(data.height)) this.#size(open, data.height);
    if (data.type === "ready" && !open.live) this.#arrive(open, data);
    else if (data.type === "change") {
      this.#fragment = String(data.fragment);
      this.#tell("change", shown(data));
    } else if (data.type === "verdict") {
      const { class: kind, sentence, detail, counts, properties } = data;
      this.#tell("verdict", { class: kind, sentence, detail, counts, properties });
    } else if (data.type === "error") {
      if (data.code === "failed") this.#fail(data);
      else this.#tell("error", failure(data));
    }
  }

  #arrive(open, { version }) {
    clearTimeout(open.timer);
    const had = this.#root.activeElement === this.#button;
    open.live = true;
    this.#box.className = this.querySelector("img, svg, picture, object, figure") ? "frame live" : "frame live only";
    this.#button.removeAttribute("aria-disabled");
    if (had) open.frame.focus();
    // The look may have changed while it loaded.
    this.#post({ type: "theme", theme: this.dataset.scheme });
    open.done();
    this.#tell("ready", { version: String(version) });
  }

  #fail(reason) {
    this.#fragment = null;
    this.#close(reason);
    this.#tell("error", failure(reason));
  }

  #close(reason) {
    const open = this.#open;
    if (!open) return;
    this.#open = null;
    clearTimeout(open.timer);
    open.stop.abort();
    const had = open.frame && this.#root.activeElement === open.frame;
    this.#box.className = "frame";
    this.#box.replaceChildren();
    this.#button.removeAttribute("aria-disabled");
    // The place in the page of whoever uses a keyboard is not lost with the frame.
    if (had) this.#button.focus();
    for (const answer of [...open.asked.values()]) answer({ type: "error", ...reason });
    // Whoever waits is told; nobody has to.
    open.ready.catch(() => {});
    open.fail(failure(reason));
  }

  #tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}

if (!customElements.get("fence-line")) customElements.define("fence-line", FenceLine);
