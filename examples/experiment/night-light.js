this.nightLight = class extends ExtensionAPI {
  getAPI() {
    return { nightLight: { async setWarmth(percent) {} } };
  }
};
