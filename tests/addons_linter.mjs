// Runs addons-linter on the packages that standard input lists as JSON, and prints what it reports about each.
// The only argument is the folder with the installed package.

import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const main = createRequire(`${process.argv[2]}/`).resolve("addons-linter");
const { default: linter } = await import(pathToFileURL(main));
const found = {};
for (const { name, path, options } of JSON.parse(readFileSync(0, "utf-8"))) {
  const config = { _: [path], logLevel: "fatal", output: "none", boring: true, ...options };
  const instance = linter.createInstance({ config, runAsBinary: false });
  try {
    await instance.run();
  } catch (error) {
    found[name] = { failure: [`${error.message}`] };
    continue;
  }
  const { errors, warnings, notices } = instance.output;
  found[name] = {};
  for (const [kind, messages] of Object.entries({ error: errors, warning: warnings, notice: notices })) {
    for (const { code } of messages) (found[name][code] ??= []).push(kind);
  }
}
console.log(JSON.stringify(found));
