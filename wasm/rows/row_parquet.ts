/**
 * Rows as a Parquet file, a row group for each page of rows, so that no more than a page is held. Types are kept; what Parquet has
 * no type for is text, and the file's metadata says the engine's types under "stele:types".
 */
import type { SchemaElement } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { ViewColumn } from '../views.ts';
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
} from './column_shape.ts';
import type { RowEncoder } from './row_encoder.ts';

export function rowParquet(columns: ViewColumn[]): RowEncoder {
  const shapes = columns.map(({ type }) => shapeOf(type));
  const writer = new ByteWriter();
  const file = new ParquetWriter({
    writer,
    schema: [
      { name: 'root', num_children: columns.length },
      ...columns.flatMap(({ name }, i) => elementsOf(name, shapes[i]!)),
    ],
    kvMetadata: [{ key: 'stele:types', value: JSON.stringify(columns) }],
    createdBy: 'stele',
  });
  return {
    head: taken(writer),
    rows(rows) {
      const columnData = columns.map(({ name }, i) => ({
        name,
        data: rows.map((row) => converted(shapes[i]!, row[i])) as unknown[] as never,
      }));
      file.write({ columnData, rowGroupSize: Math.max(1, rows.length) });
      return taken(writer);
    },
    tail() {
      file.finish();
      return taken(writer);
    },
  };
}

/** What was written since the last time; the writer counts on. */
function taken(writer: ByteWriter): Uint8Array {
  const bytes = writer.getBytes().slice();
  writer.index = 0;
  return bytes;
}

const optional = { repetition_type: 'OPTIONAL' } as const;

/** A column's part of the schema, parents before children. */
function elementsOf(name: string, shape: Shape): SchemaElement[] {
  const one = (element: Omit<SchemaElement, 'name'>): SchemaElement[] => [{ ...optional, ...element, name }];
  switch (shape.kind) {
    case 'bool':
      return one({ type: 'BOOLEAN' });
    case 'int':
      return one({
        type: shape.bits === 64 ? 'INT64' : 'INT32',
        // Without the logical type, whose width the writer spells as no other reader takes it.
        converted_type: `${shape.signed ? 'INT' : 'UINT'}_${shape.bits}`,
      });
    case 'float':
      return one({ type: shape.bits === 32 ? 'FLOAT' : 'DOUBLE' });
    case 'decimal': {
      const { precision, scale } = shape;
      const stored = precision <= 9 ? 'INT32' : precision <= 18 ? 'INT64' : 'FIXED_LEN_BYTE_ARRAY';
      return one({
        type: stored,
        ...(stored === 'FIXED_LEN_BYTE_ARRAY' ? { type_length: 16 } : {}),
        converted_type: 'DECIMAL',
        ...{ precision, scale },
        logical_type: { type: 'DECIMAL', precision, scale },
      });
    }
    case 'blob':
      return one({ type: 'BYTE_ARRAY' });
    case 'uuid':
      return one({ type: 'FIXED_LEN_BYTE_ARRAY', type_length: 16, logical_type: { type: 'UUID' } });
    case 'date':
      return one({ type: 'INT32', converted_type: 'DATE', logical_type: { type: 'DATE' } });
    case 'time':
      return one({ type: 'INT64', logical_type: { type: 'TIME', isAdjustedToUTC: false, unit: 'MICROS' } });
    case 'timestamp': {
      // Parquet has no whole seconds.
      const unit = { s: 'MILLIS', ms: 'MILLIS', us: 'MICROS', ns: 'NANOS' }[shape.unit] as
        'MILLIS' | 'MICROS' | 'NANOS';
      return one({ type: 'INT64', logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: shape.zoned, unit } });
    }
    case 'json':
      return one({ type: 'BYTE_ARRAY', converted_type: 'JSON', logical_type: { type: 'JSON' } });
    case 'list':
      return [
        ...one({ converted_type: 'LIST', num_children: 1 }),
        { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
        ...elementsOf('element', shape.of),
      ];
    case 'struct':
      return [
        ...one({ num_children: shape.fields.length }),
        ...shape.fields.flatMap((field) => elementsOf(field.name, field.of)),
      ];
    case 'map': {
      const [key, ...inner] = elementsOf('key', shape.key);
      return [
        ...one({ converted_type: 'MAP', num_children: 1 }),
        { name: 'key_value', repetition_type: 'REPEATED', num_children: 2 },
        { ...key!, repetition_type: 'REQUIRED' },
        ...inner,
        ...elementsOf('value', shape.value),
      ];
    }
    default:
      return one({ type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } });
  }
}

/** A cell as the writer takes it. */
function converted(shape: Shape, value: unknown): unknown {
  if (value === null || value === undefined) return undefined;
  switch (shape.kind) {
    case 'bool':
      return value;
    case 'int':
      return shape.bits === 64 ? bigOf(value) : Number(value);
    case 'float':
      return Number(value);
    case 'decimal':
      return unscaled(value, shape.scale);
    case 'blob':
      return bytesOfHex(String(value));
    case 'uuid':
      return bytesOfUuid(String(value));
    case 'date':
      return daysOf(String(value));
    case 'time':
      return timeOf(String(value), 'us');
    case 'timestamp':
      return shape.unit === 's' ? instantOf(String(value), 'ms') : instantOf(String(value), shape.unit);
    case 'json':
      return value; // the writer makes it text
    case 'list':
      return (value as unknown[]).map((item) => converted(shape.of, item));
    case 'struct':
      return Object.fromEntries(
        shape.fields.map(({ name, of }) => [name, converted(of, (value as Record<string, unknown>)[name])]),
      );
    case 'map':
      return entriesOf(value).map(([key, item]) => ({
        key: converted(shape.key, key),
        value: converted(shape.value, item),
      }));
    default:
      return textOf(value);
  }
}
