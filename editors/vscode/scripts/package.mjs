// Builds the .vsix, and checks what is in it.

import { execFileSync } from "node:child_process";
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import vsce from "@vscode/vsce";

const EXPECTED = ["LICENSE", "NOTICE", "README.md", "dist/extension.js", "dist/licenses.txt", "package.json"];

process.chdir(path.join(import.meta.dirname, ".."));
execFileSync("npm", ["run", "--silent", "build"], { stdio: "inherit", shell: process.platform === "win32" });
writeFileSync("dist/licenses.txt", licenses());
for (const name of ["LICENSE", "NOTICE"]) {
  copyFileSync(path.join("../..", name), name);
}

const files = await vsce.listFiles({ packageManager: vsce.PackageManager.None });
const own = files.filter((each) => !each.startsWith("bundled/")).sort();
if (own.join() !== EXPECTED.join()) {
  throw new Error(`the .vsix would have other files than expected:\n${own.join("\n")}`);
}
const packagePath = path.resolve("build/extlint.vsix");
await vsce.createVSIX({ dependencies: false, packagePath });
console.log(files.join("\n"));

/** The licenses of the packages in the bundle. */
function licenses() {
  const { inputs } = JSON.parse(readFileSync("build/meta.json", "utf8"));
  const packages = Object.keys(inputs).map(
    (each) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(each)?.[0],
  );
  return [...new Set(packages.filter((each) => each !== undefined))]
    .sort()
    .map((folder) => {
      const { name, version } = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"));
      const file = readdirSync(folder).find((each) => /^licen[cs]e(\.|$)/i.test(each));
      if (file === undefined) {
        throw new Error(`${name} has no license file`);
      }
      return `${name} ${version}\n\n${readFileSync(path.join(folder, file), "utf8").trim()}\n`;
    })
    .join(`\n${"-".repeat(80)}\n\n`);
}
