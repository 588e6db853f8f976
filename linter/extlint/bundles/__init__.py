"""Module systems that bundlers and compilers bring along, so that an import is an import again.

A bundler makes one script of many modules. Each module becomes a function, and the script has code of
the bundler's own that calls it. This is webpack's, shortened:

    (modules => {
      var cache = {};
      function load(key) {
        if (cache[key]) return cache[key].exports;
        var module = cache[key] = { exports: {} };
        modules[key](module, module.exports, load);
        return module.exports;
      }
      load(7).management.getAll();
    })({ 7: (m, e) => { m.exports = chrome } })

The evaluator asks what `load(7)` gives. `load` is a **runtime**: it has a **module call**, which passes
`module` and `module.exports` to what it reads from an object. That call tells the **module parameters**
(`m` is `module`, `e` is `exports`), and that `modules` is the **module table**: here the argument of the
function around it. The entry 7 is a **module function**, so the module exports all that is put into `e`
or `m.exports`, the **export object**, wherever those are named; and `load(7)` is `chrome`.

Others ask in two places, and nowhere else:

* `bundle.bundle_of(evaluator)` answers for a script that is parsed, with one `ScriptBundle` for each;
* `chunks` tells by the text alone which modules a script has for others, and which it requires.

A `ScriptBundle` asks the module systems in the table in `systems`, each a module of this package. What
they may answer is `module_system.ModuleSystem`. They share

* `model`: runtimes, modules and module parameters, and `Bundle`: what a module system may ask in turn;
* `runtimes`, `module_tables`, `requires`: the function that runs modules, where modules are kept, and
  what a `require` gives;
* `module_exports`, `filling`, `filled_object`, `filled_value`: an object that is filled piece by piece, as
  an export object is: followed through its names, what is put into it, and its value;
* `property_holders`, `tokens`: the names that a bundle's own code is written with.
"""
