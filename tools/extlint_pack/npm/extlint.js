#!/usr/bin/env node
// Runs the program of extlint that is in the package for this system.
"use strict";

const { spawn } = require("node:child_process");
const { constants } = require("node:os");
const path = require("node:path");

const FAILED = 2;
const PLATFORM = `${process.platform}-${process.arch}`;
const PACKAGE = `@extlint/${PLATFORM}`;
const { optionalDependencies } = require("../package.json");

function fail(message) {
  process.stderr.write(`extlint: ${message}\n`);
  process.exit(FAILED);
}

function hasMusl() {
  return process.platform === "linux" && !process.report.getReport().header.glibcVersionRuntime;
}

function reasonForMissingProgram() {
  if (!(PACKAGE in optionalDependencies)) {
    return `npm has no program for ${PLATFORM}; install the Python package: pip install extlint`;
  }
  if (hasMusl()) {
    return "npm has no program for systems with musl, such as Alpine; install the Python package: pip install extlint";
  }
  return (
    `the package ${PACKAGE} is not installed; ` +
    "install extlint again on this system, without the options --omit=optional and --no-optional"
  );
}

function folderOfProgram() {
  try {
    return path.dirname(require.resolve(`${PACKAGE}/package.json`));
  } catch {
    return fail(reasonForMissingProgram());
  }
}

const folder = folderOfProgram();
const python = path.join(folder, "python", process.platform === "win32" ? "python.exe" : "bin/python3");

// The terminal sends Ctrl-C to both processes, and other programs signal only this one, which waits for the child.
let child;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => child.kill(signal));
}

child = spawn(python, ["-IS", path.join(folder, "main.py"), ...process.argv.slice(2)], {
  stdio: "inherit",
});

child.on("error", (error) => {
  fail(hasMusl() ? reasonForMissingProgram() : `cannot run ${python}: ${error.message}`);
});
child.on("exit", (status, signal) => {
  process.exit(signal ? 128 + constants.signals[signal] : status);
});
