/**
 * Rows as an Arrow IPC stream: the schema once, then a record batch for each page of rows, so that no more than a page is held.
 * Types are kept; UUID and JSON are Arrow's canonical extensions of bytes and text, and what Arrow has no type for is text whose
 * field says the engine's type under "stele:type".
 */
import {
  type Batch,
  batchType,
  binary,
  bool,
  Column,
  type DataType,
  dateDay,
  decimal128,
  Endianness,
  type Field,
  field,
  fixedSizeBinary,
  float32,
  float64,
  int,
  list,
  map,
  struct,
  Table,
  tableToIPC,
  timeMicrosecond,
  timestamp,
  TimeUnit,
  utf8,
  Version,
} from '@uwdata/flechette';
import type { ViewColumn } from '../../wasm/views.ts';
import {
  bigOf,
  bytesOfHex,
  bytesOfUuid,
  daysOf,
  entriesOf,
  instantOf,
  type Shape,
  shapeOf,
  textOf,
  timeOf,
  unscaled,
} from '../../wasm/rows/column_shape.ts';
import type { RowEncoder } from '../../wasm/rows/row_encoder.ts';

const units = { s: TimeUnit.SECOND, ms: TimeUnit.MILLISECOND, us: TimeUnit.MICROSECOND, ns: TimeUnit.NANOSECOND };

export function rowArrow(columns: ViewColumn[]): RowEncoder {
  const shapes = columns.map(({ type }) => shapeOf(type));
  const types = shapes.map(typeOf);
  const fields = columns.map(({ name, type }, i) => field(name, types[i]!, true, metadataOf(type, shapes[i]!)));
  const encoded = (rows: unknown[][]): Uint8Array => {
    const children = types.map((type, i) => {
      const batch = batchOf(
        shapes[i]!,
        type,
        rows.map((row) => row[i]),
      );
      return new Column([batch], type);
    });
    const schema = { version: Version.V5, endianness: Endianness.Little, fields, metadata: null };
    return tableToIPC(new Table(schema as never, children), { format: 'stream' })!;
  };
  return {
    head: schemaMessage(encoded([])),
    rows: (rows) => recordBatches(encoded(rows)),
    tail: () => endOfStream,
  };
}

// An encapsulated message: a mark, the length of its metadata, metadata, body. A schema's has no body.
const markBytes = 8;
const endOfStream = Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0);

function schemaBytes(stream: Uint8Array): number {
  return markBytes + new DataView(stream.buffer, stream.byteOffset).getInt32(4, true);
}

function schemaMessage(stream: Uint8Array): Uint8Array {
  return stream.subarray(0, schemaBytes(stream));
}

function recordBatches(stream: Uint8Array): Uint8Array {
  return stream.subarray(schemaBytes(stream), stream.length - endOfStream.length);
}

function metadataOf(type: string, shape: Shape): Map<string, string> | null {
  const extension = { uuid: 'arrow.uuid', json: 'arrow.json' }[shape.kind as string];
  if (extension)
    return new Map([
      ['ARROW:extension:name', extension],
      ['ARROW:extension:metadata', ''],
      ['stele:type', type],
    ]);
  return shape.kind === 'text' && type !== 'VARCHAR' ? new Map([['stele:type', type]]) : null;
}

function typeOf(shape: Shape): DataType {
  switch (shape.kind) {
    case 'bool':
      return bool();
    case 'int':
      return int(shape.bits, shape.signed);
    case 'float':
      return shape.bits === 32 ? float32() : float64();
    case 'decimal':
      return decimal128(shape.precision, shape.scale);
    case 'blob':
      return binary();
    case 'uuid':
      return fixedSizeBinary(16);
    case 'date':
      return dateDay();
    case 'time':
      return timeMicrosecond();
    case 'timestamp':
      return timestamp(units[shape.unit], shape.zoned ? 'UTC' : null);
    case 'list':
      return list(field('item', typeOf(shape.of)));
    case 'struct':
      return struct(shape.fields.map(({ name, of }) => field(name, typeOf(of))));
    case 'map':
      return map(field('key', typeOf(shape.key), false), field('value', typeOf(shape.value)));
    default:
      return utf8();
  }
}

type Buffers = Omit<ConstructorParameters<typeof Batch>[0], 'length' | 'nullCount' | 'type' | 'validity'>;
type Parent = DataType & { children: Field[] };

function batchOf(shape: Shape, type: DataType, values: unknown[]): Batch<unknown> {
  const validity = new Uint8Array(Math.ceil(values.length / 8));
  let nullCount = 0;
  for (const [i, value] of values.entries())
    if (value === null || value === undefined) ++nullCount;
    else validity[i >> 3]! |= 1 << (i & 7);
  const make = batchType(type) as unknown as new (options: object) => Batch<unknown>;
  return new make({ length: values.length, nullCount, type, validity, ...buffersOf(shape, type, values) });
}

function buffersOf(shape: Shape, type: DataType, values: unknown[]): Buffers {
  const isNull = (value: unknown) => value === null || value === undefined;
  const big = (of: (value: unknown) => bigint) =>
    BigInt64Array.from(values, (value) => (isNull(value) ? 0n : BigInt.asIntN(64, of(value))));
  switch (shape.kind) {
    case 'bool': {
      const bits = new Uint8Array(Math.ceil(values.length / 8));
      for (const [i, value] of values.entries()) if (value === true) bits[i >> 3]! |= 1 << (i & 7);
      return { values: bits };
    }
    case 'int':
      if (shape.bits === 64) return { values: shape.signed ? big(bigOf) : new BigUint64Array(big(bigOf).buffer) };
      return { values: (type as { values: Uint8ArrayConstructor }).values.from(values as number[], Number) };
    case 'float':
      return { values: (type as { values: Uint8ArrayConstructor }).values.from(values as number[], Number) };
    case 'decimal': {
      const words = new BigUint64Array(2 * values.length);
      for (const [i, value] of values.entries()) {
        const whole = isNull(value) ? 0n : unscaled(value, shape.scale);
        words[2 * i] = BigInt.asUintN(64, whole);
        words[2 * i + 1] = BigInt.asUintN(64, whole >> 64n);
      }
      return { values: words };
    }
    case 'uuid': {
      const bytes = new Uint8Array(16 * values.length);
      for (const [i, value] of values.entries()) if (!isNull(value)) bytes.set(bytesOfUuid(String(value)), 16 * i);
      return { values: bytes };
    }
    case 'date':
      return { values: Int32Array.from(values, (value) => (isNull(value) ? 0 : daysOf(String(value)))) };
    case 'time':
      return { values: big((value) => timeOf(String(value), 'us')) };
    case 'timestamp':
      return { values: big((value) => instantOf(String(value), shape.unit)) };
    case 'list': {
      const lists = values.map((value) => (isNull(value) ? [] : (value as unknown[])));
      const of = (type as Parent).children[0]!.type;
      return { offsets: offsetsOf(lists), children: [batchOf(shape.of, of, lists.flat(1))] };
    }
    case 'struct': {
      const child = (name: string) => values.map((value) => (isNull(value) ? null : (value as never)[name]));
      const { children } = type as Parent;
      return { children: shape.fields.map(({ name, of }, i) => batchOf(of, children[i]!.type, child(name))) };
    }
    case 'map': {
      const maps = values.map((value) => (isNull(value) ? [] : entriesOf(value)));
      const entries = maps.flat(1).map(([key, value]) => ({ key, value }));
      const pair: Shape = {
        kind: 'struct',
        fields: [
          { name: 'key', of: shape.key },
          { name: 'value', of: shape.value },
        ],
      };
      return { offsets: offsetsOf(maps), children: [batchOf(pair, (type as Parent).children[0]!.type, entries)] };
    }
    case 'blob':
      return bytesOf(values.map((value) => (isNull(value) ? noBytes : bytesOfHex(String(value)))));
    case 'json':
      return bytesOf(values.map((value) => (isNull(value) ? noBytes : encoder.encode(JSON.stringify(value)))));
    default:
      return bytesOf(values.map((value) => (isNull(value) ? noBytes : encoder.encode(textOf(value)))));
  }
}

const encoder = new TextEncoder();
const noBytes = new Uint8Array(0);

function offsetsOf(parts: { length: number }[]): Int32Array {
  const offsets = new Int32Array(parts.length + 1);
  for (const [i, { length }] of parts.entries()) offsets[i + 1] = offsets[i]! + length;
  return offsets;
}

function bytesOf(parts: Uint8Array[]): Buffers {
  const offsets = offsetsOf(parts);
  const values = new Uint8Array(offsets.at(-1)!);
  for (const [i, part] of parts.entries()) values.set(part, offsets[i]!);
  return { offsets, values };
}
