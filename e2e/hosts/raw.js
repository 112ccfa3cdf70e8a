// A host without the element: it speaks the protocol by itself.

window.heard = [];
const figure = document.createElement("iframe");
figure.className = "raw";
figure.title = "A paused worker";
figure.setAttribute("sandbox", "allow-scripts");
figure.src = "../?embed=1#p=paused-worker";
addEventListener("message", ({ source, origin, data }) => {
  if (source === figure.contentWindow && origin === "null") heard.push(data);
});
window.say = (message) => figure.contentWindow.postMessage(message, "*");
document.querySelector("#place").append(figure);
