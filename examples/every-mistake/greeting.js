import { greeting } from "./words.js";
document.title = greeting;
