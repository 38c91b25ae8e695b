/** The toolbar's button opens the panel. Nothing runs in the background. */
void chrome.sidePanel.setPanelBehavior({ openPanelOnActionClick: true });
