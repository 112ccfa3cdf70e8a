// A host that listens to its figures, and puts one into a shadow root.

window.told = [];
for (const figure of document.querySelectorAll("fence-line")) {
  for (const type of ["ready", "change", "verdict", "error"]) {
    figure.addEventListener(type, ({ detail }) => {
      told.push({ figure: figure.id, type, detail: type === "error" ? { code: detail.code, message: detail.message } : detail });
    });
  }
}
const root = document.querySelector("#shadowed").attachShadow({ mode: "open" });
const inside = document.createElement("fence-line");
const inline = document.createElement("script");
inline.type = "application/json";
inline.textContent = JSON.stringify({ version: 1, title: "Nobody writes", leases: [], resources: [], workers: [] });
inside.append(inline);
root.append(inside);
window.inside = inside;
