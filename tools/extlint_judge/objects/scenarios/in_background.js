listenTo(root, api, []);
play("background");
