/** How a share's object is named. */

/** As the core makes them, and as a request may ask for one. */
export const shareToken = /^[A-Za-z0-9_-]{16,64}$/;

export function shareName(workspace: string, token: string): string {
  return `${workspace}/${token}`;
}
