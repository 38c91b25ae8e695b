/** Where the grid's cursor is and what is selected, as a spreadsheet has it. Pure functions over row and column numbers. */

export interface Position {
  x: number;
  y: number;
}

export interface Selection {
  /** Where the selection began. */
  anchor: Position;
  /** Where the cursor is. */
  cursor: Position;
}

export interface Extent {
  columns: number;
  rows: number;
  /** Whole rows in sight, the length of a Page Down. */
  visible: number;
}

export interface Key {
  key: string;
  shift: boolean;
  /** Control, or Command on a Mac. */
  control: boolean;
  rightToLeft: boolean;
}

export function moved({ anchor, cursor }: Selection, pressed: Key, extent: Extent): Selection | undefined {
  const to = target(cursor, pressed, extent);
  if (!to) return undefined;
  const clamped = { x: clamp(to.x, extent.columns), y: clamp(to.y, extent.rows) };
  return { anchor: pressed.shift ? anchor : clamped, cursor: clamped };
}

function target({ x, y }: Position, { key, control, rightToLeft }: Key, extent: Extent): Position | undefined {
  const forward = rightToLeft ? -1 : 1;
  const last = { x: extent.columns - 1, y: extent.rows - 1 };
  switch (key) {
    case 'ArrowDown':
    case 'j':
      return { x, y: control ? last.y : y + 1 };
    case 'ArrowUp':
    case 'k':
      return { x, y: control ? 0 : y - 1 };
    case 'ArrowRight':
      return { x: control ? (forward > 0 ? last.x : 0) : x + forward, y };
    case 'ArrowLeft':
      return { x: control ? (forward > 0 ? 0 : last.x) : x - forward, y };
    case 'Home':
      return { x: 0, y: control ? 0 : y };
    case 'End':
      return { x: last.x, y: control ? last.y : y };
    case 'PageDown':
      return { x, y: y + extent.visible };
    case 'PageUp':
      return { x, y: y - extent.visible };
  }
  return undefined;
}

function clamp(value: number, length: number): number {
  return Math.max(0, Math.min(length - 1, value));
}

export interface Rectangle {
  x0: number;
  y0: number;
  /** One past the last. */
  x1: number;
  y1: number;
}

export function rectangleOf({ anchor, cursor }: Selection): Rectangle {
  return {
    x0: Math.min(anchor.x, cursor.x),
    y0: Math.min(anchor.y, cursor.y),
    x1: Math.max(anchor.x, cursor.x) + 1,
    y1: Math.max(anchor.y, cursor.y) + 1,
  };
}

export function contains(rectangle: Rectangle, { x, y }: Position): boolean {
  return x >= rectangle.x0 && x < rectangle.x1 && y >= rectangle.y0 && y < rectangle.y1;
}
