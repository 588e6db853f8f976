"""Module systems of bundlers and compilers, so that bundled imports are resolved like other imports.

A bundler combines many modules into one script. Each module becomes a function, and the script contains the
bundler's own code that calls it. This is webpack's, shortened:

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

The evaluator queries the value of `load(7)`. `load` is a **runtime**: it contains a **module call**, which
passes `module` and `module.exports` to a function read from an object. This call identifies the **module
parameters** (`m` is `module`, `e` is `exports`) and the **module table** `modules`: here the argument of the
enclosing function. Entry 7 is a **module function**, so the module exports everything assigned to `e` or
`m.exports`, the **export object**, at any of their uses; and `load(7)` is `chrome`.

Other packages have only two entry points:

* `bundle.bundle_of(evaluator)` returns the one `ScriptBundle` of a parsed script;
* `chunks` finds the modules that a script provides for others, and those it requires, in its text.

A `ScriptBundle` queries the module systems in the table in `systems`, each a module of this package. Their
interface is `model.ModuleSystem`. They share

* `model`: runtimes, modules and module parameters, and `Bundle`: the queries of a module system;
* `runtimes`, `module_tables`: the function that runs modules, the tables of modules, the values of `require`,
  and the names in a bundle's own code;
* `filling`, `filled_object`: an object that is filled piece by piece, such as an export object: its names,
  its contents, and its value;
* `property_holders`: the names of properties through which functions are reached.
"""
