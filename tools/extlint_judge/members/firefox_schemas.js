// Firefox's own schemas, put into an object with an implementation that does nothing: its functions judge
// their arguments as they do in an extension, and that is all they do.
const { Schemas } = ChromeUtils.importESModule("resource://gre/modules/Schemas.sys.mjs");
const { ExtensionCommon } = ChromeUtils.importESModule("resource://gre/modules/ExtensionCommon.sys.mjs");
const { ExtensionParent } = ChromeUtils.importESModule("resource://gre/modules/ExtensionParent.sys.mjs");
await ExtensionParent.apiManager.lazyInit();

class Nothing extends ExtensionCommon.SchemaAPIInterface {
  callFunction() {}
  callFunctionNoReturn() {}
  callAsyncFunction() {
    return Promise.resolve();
  }
  getProperty() {}
  setProperty() {}
  addListener() {}
  removeListener() {}
  hasListener() {
    return false;
  }
  revoke() {}
}

function rootOf(manifestVersion) {
  const root = {};
  Schemas.inject(root, {
    manifestVersion,
    url: "moz-extension://00000000-0000-0000-0000-000000000000/",
    cloneScope: globalThis,
    principal: Services.scriptSecurityManager.getSystemPrincipal(),
    isChromeCompat: false,
    hasPermission: () => true,
    shouldInject: () => true,
    checkLoadURL: () => true,
    checkUserInput: () => true,
    logWarning() {},
    logError() {},
    getImplementation: () => new Nothing(),
    setPermissionsChangedCallback() {},
  });
  return root;
}
