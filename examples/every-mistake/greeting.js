import { greeting } from "./words.js";
document.title = greeting;
document.getElementById("hide").hidden = true;
