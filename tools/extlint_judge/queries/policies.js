// Runs first in the page that is looked at: it hears what the policy blocks, and then tells what ran.
const ran = (name) => {
  document.documentElement.dataset[name] = "ran";
};
const PROBES = document.documentElement.dataset.probes.split(" ");
const blocked = [];
addEventListener("securitypolicyviolation", (event) => {
  blocked.push([event.effectiveDirective, event.blockedURI, event.disposition]);
});
document.write("<script>ran('writtenScript')</script>");
document.write("<b id=writtenHandler onclick=\"ran('writtenHandler')\"></b>");

const thrown = (name, run) => {
  try {
    run();
  } catch {
    // That it did not run is seen.
  }
};

const play = () => {
  const inserted = document.createElement("div");
  document.body.append(inserted);
  inserted.innerHTML = "<b id=assignedHandler onclick=\"ran('assignedHandler')\"></b>";
  inserted.insertAdjacentHTML("beforeend", "<b id=insertedHandler onclick=\"ran('insertedHandler')\"></b>");
  const set = document.createElement("b");
  set.setAttribute("onclick", "ran('setHandler')");
  set.id = "setHandler";
  inserted.append(set);
  const element = document.createElement("script");
  element.textContent = "ran('elementText')";
  inserted.append(element);
  const made = document.createElement("script");
  made.src = URL.createObjectURL(new Blob(["ran('blobScript')"], { type: "text/javascript" }));
  inserted.append(made);
  const remote = document.createElement("script");
  remote.src = "https://judge.invalid/created.js";
  inserted.append(remote);
  import("https://judge.invalid/module.js").catch(() => {});
  thrown("evaluated", () => (0, eval)("ran('evaluated')"));
  thrown("functionText", () => new Function("ran('functionText')")());
  thrown("timerText", () => setTimeout("ran('timerText')"));
  for (const each of document.querySelectorAll("a[id], b[id], button[id]")) each.click();
};

const judged = () =>
  new Promise((resolve) => {
    const finish = () => {
      play();
      setTimeout(() => {
        const found = {};
        for (const each of PROBES) found[each] = document.documentElement.dataset[each] === "ran";
        resolve({ found, blocked });
      }, 800);
    };
    if (document.readyState === "complete") setTimeout(finish);
    else addEventListener("load", () => setTimeout(finish));
  });
