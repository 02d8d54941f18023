import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { invalidInput, shown } from '../define.js';

const delimiters = [',', ';', '\t', '|'];
const sniffBytes = 64 * 1024;
/** A row may have so many characters: a quote that is never closed must not swallow a whole file. */
const mostRowCharacters = 4 * 1024 * 1024;
const mostColumns = 100_000;

/** A CSV file's first row. */
export interface CsvHeader {
  names: string[];
  delimiter: string;
}

/**
 * Reads the header of a CSV file (RFC 4180; UTF-8, with or without a mark; comma, semicolon, tab or bar between fields).
 * @throws WorkloadFailure INVALID_INPUT for no header, names that are empty or there twice
 */
export async function readCsvHeader(path: string): Promise<CsvHeader> {
  const delimiter = await guessDelimiter(path);
  for await (const row of csvRecords(path, delimiter)) {
    const names = row.map((name) => name.trim());
    const empty = names.indexOf('');
    if (empty >= 0) throw invalidInput(`The CSV file's header has no name for column ${empty + 1}.`);
    const known = new Set<string>();
    for (const name of names) {
      if (known.has(name)) throw invalidInput(`The CSV file's header names ${shown(name)} twice.`);
      known.add(name);
    }
    return { names, delimiter };
  }
  throw invalidInput('The CSV file is empty.');
}

/** The rows behind the header, one array of texts each, all as long as the header. */
export async function* csvRows(path: string, header: CsvHeader): AsyncGenerator<string[]> {
  let isHeader = true;
  for await (const row of csvRecords(path, header.delimiter)) {
    if (!isHeader) yield row;
    isHeader = false;
  }
}

async function* csvRecords(path: string, delimiter: string): AsyncGenerator<string[]> {
  const text = Readable.from(utf8Text(path));
  const parser = parse({
    delimiter,
    bom: true,
    skip_empty_lines: true,
    max_record_size: mostRowCharacters,
  });
  text.on('error', (error) => parser.destroy(error));
  try {
    for await (const row of text.pipe(parser) as AsyncIterable<string[]>) {
      if (row.length > mostColumns) throw invalidInput(`The CSV file has more than ${mostColumns} columns.`);
      yield row;
    }
  } catch (error) {
    if (error instanceof CsvError) throw invalidInput(sentenceOf(error), error);
    throw error;
  } finally {
    text.destroy();
    parser.destroy();
  }
}

/** Decoded without replacing what is not UTF-8: a wrong letter in a label would be learned. */
async function* utf8Text(path: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  try {
    for await (const chunk of createReadStream(path)) yield decoder.decode(chunk as Buffer, { stream: true });
    yield decoder.decode();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_ENCODING_INVALID_ENCODED_DATA')
      throw invalidInput('The CSV file is not UTF-8 text.', error);
    throw error;
  }
}

/** What stands most often in the first line, outside of quotes. */
async function guessDelimiter(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(sniffBytes), 0, sniffBytes, 0);
    const line =
      buffer
        .toString('utf8', 0, bytesRead)
        .replaceAll(/"[^"]*"/g, '')
        .trimStart()
        .split(/\r?\n/)[0] ?? '';
    const counts = delimiters.map((delimiter) => line.split(delimiter).length);
    return delimiters[counts.indexOf(Math.max(...counts))]!;
  } finally {
    await file.close();
  }
}

function sentenceOf(error: CsvError): string {
  const line = typeof error['lines'] === 'number' ? ` at line ${error['lines']}` : '';
  switch (error.code) {
    case 'CSV_RECORD_INCONSISTENT_FIELDS_LENGTH':
    case 'CSV_RECORD_INCONSISTENT_COLUMNS':
      return `The CSV file${line}: a row has another number of fields than the header.`;
    case 'CSV_QUOTE_NOT_CLOSED':
      return `The CSV file${line}: a quote is never closed.`;
    case 'CSV_MAX_RECORD_SIZE':
      return `The CSV file${line}: a row is longer than ${mostRowCharacters} characters.`;
    default:
      return `The CSV file${line} can not be read: its quotes are wrong.`;
  }
}
