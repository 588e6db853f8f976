listenTo(root, api, []);
runScenarios("background");
