/** The part of the extension platform that this extension uses. */
interface ChromePort {
  name: string;
  sender?: { origin?: string; tab?: { id?: number; title?: string } };
  postMessage(message: unknown): void;
  disconnect(): void;
  onMessage: { addListener(listener: (message: unknown) => void): void };
  onDisconnect: { addListener(listener: () => void): void };
}

declare const chrome: {
  runtime: {
    id: string;
    sendMessage(message: unknown): Promise<unknown>;
    onMessage: {
      addListener(listener: (message: unknown, sender: unknown, respond: (answer: unknown) => void) => void): void;
    };
    onConnectExternal: { addListener(listener: (port: ChromePort) => void): void };
  };
  tabs: {
    query(query: object): Promise<{ id?: number }[]>;
    sendMessage(tab: number, message: unknown): Promise<unknown>;
  };
  sidePanel: { setPanelBehavior(behavior: { openPanelOnActionClick: boolean }): Promise<void> };
};
