import { FenceLine } from "./node_modules/fenceline/page/fence-line.js";

const figure = document.querySelector("#installed");
window.isElement = figure instanceof FenceLine;
figure.addEventListener("verdict", ({ detail }) => (window.sentence = detail.sentence));
figure.open();
