// The explorer in a Web Worker: loads the module, hands it the page's messages, and lets it work between them.
//
// It is JavaScript because a worker begins as a script, and because `import` cannot be written in the module. The page's first
// message says where the module is (web/boot.js); all others are bytes that the module alone reads
// (crates/explorer/src/protocol.rs). What it says is bytes too; `true` says that it is ready, `false` that it cannot be had.

// Half a frame: what is asked while a number is dragged is answered before the next one.
const SLICE = 8;

let explorer = null;
// A message to itself lets those of the page through first, and is not slowed down as a timer is.
const { port1: turn, port2: next } = new MessageChannel();
let goesOn = false;
const waiting = [];

next.onmessage = () => {
  goesOn = false;
  const said = explorer.go_on(SLICE);
  if (said.length > 0) postMessage(said, [said.buffer]);
  goOn();
};

function goOn() {
  if (goesOn || !explorer.has_work()) return;
  goesOn = true;
  turn.postMessage(null);
}

function hear(message) {
  if (!explorer) return waiting.push(message);
  explorer.hear(message);
  goOn();
}

onmessage = async ({ data: { js, wasm } }) => {
  onmessage = ({ data }) => hear(data);
  try {
    const module = await import(js);
    await module.default({ module_or_path: wasm });
    explorer = module;
  } catch {
    postMessage(false);
    close();
    return;
  }
  postMessage(true);
  waiting.forEach(hear);
};
