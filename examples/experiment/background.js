browser.nightLight.setWarmth(60);
browser.nightLight.setWarmth(160);
