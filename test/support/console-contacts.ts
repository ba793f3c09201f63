import { setTimeout as wait } from 'node:timers/promises';
import type { Locator } from 'playwright-core';
import { z } from 'zod';
import type { ConsoleWorld } from './console.ts';

const Directory = z.looseObject({ id: z.int(), state: z.string() });

/** Drops a file of this machine on a place of the page, as a mouse does. */
export async function dropFile(place: Locator, path: string): Promise<void> {
  const { x, y, width, height } = (await place.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const devtools = await place.page().context().newCDPSession(place.page());
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await devtools.send('Input.dispatchDragEvent', {
      type,
      x: x + width / 2,
      y: y + height / 2,
      data: { items: [], files: [path], dragOperationsMask: 1 },
    });
  await devtools.detach();
}

/** What the room of contacts shows: ids of what `fillContacts` made. */
export interface FilledContacts {
  /** Checked, with rows of every result. */
  checkedId: number;
  /** Not checked, in a guessed encoding. */
  guessedId: number;
}

/** Rows as people keep them: other notations, damaged cells, a number twice, and somebody who must not be called. */
export const uglyRows: readonly (readonly string[])[] = [
  ['(202) 555-0143', 'C-1042', 'Maria Keller', 'Tuesday, 24 November', 'America/New_York', ''],
  ['202.555.0118', 'C-1043', 'Owen Blake', 'Tuesday, 24 November', '', ''],
  ['+44 20 7946 0112', 'C-1044', 'Hannah Weiß', 'Tuesday, 24 November', 'Europe/London', ''],
  ['1.20256E+10', 'C-1045', 'Jürgen Möller', 'Tuesday, 24 November', 'America/Chicago', ''],
  ['12025550176', 'C-1046', 'Priya Nair', 'Tuesday, 24 November', '', ''],
  ['+1 202 555 0118', 'C-1047', 'O. Blake', 'Wednesday, 25 November', '', ''],
  ['202-555-0102', 'C-1048', 'Tom Okafor', 'Wednesday, 25 November', 'Eastern', ''],
  ['2025550187', 'C-1049', 'Lena Fischer', 'Wednesday, 25 November', '', ''],
  ['202 555 0131 / 0132', 'C-1050', 'George Adeyemi', 'Wednesday, 25 November', '', ''],
  ['', 'C-1051', 'Ruth Abrams', 'Wednesday, 25 November', '', ''],
  ['202 555 0165 x4', 'C-1052', 'Carlos Mendes', 'Thursday, 26 November', '', ''],
  ['202 555 0154', '1.05E+17', 'Aiko Tanaka', 'Thursday, 26 November', '', ''],
  ['202 555 0109', 'C-1054', 'Søren Dahl', 'Thursday, 26 November', '', 'yes'],
  ['442079460187', 'C-1055', 'Daniel Moreau', 'Thursday, 26 November', 'Europe/London', ''],
  ['202 555 0128', 'C-1056', 'Sofía Rossi', '#REF!', '', ''],
  ['call the office', 'C-1057', 'Ben Carter', 'Thursday, 26 November', '', ''],
];

/** The rows as a file with a title above its header, separated by semicolons. */
export const uglyFile = (rows: readonly (readonly string[])[] = uglyRows): string =>
  [
    'Export Patientenkartei, 22.11.2026 08:14',
    '',
    'telefon;customer_id;full_name;appointment_day;time_zone;do_not_call',
    ...rows.map((cells) => cells.join(';')),
  ].join('\r\n');

/** Uploads a file with the user's session and answers its directory. */
export async function uploadContacts(
  { service, session }: Pick<ConsoleWorld, 'service' | 'session'>,
  bytes: Uint8Array<ArrayBuffer>,
  fileName: string,
): Promise<number> {
  const form = new FormData();
  form.append('name', fileName.replace(/\.\w+$/, ''));
  form.append('file', new Blob([bytes]), fileName);
  const answer = await fetch(`${service.apiUrl}/api/v1/directories`, {
    method: 'POST',
    headers: { authorization: `Bearer ${session.token}` },
    body: form,
  });
  return Directory.parse(await answer.json()).id;
}

/** A checked and an unchecked directory, and blocked numbers. */
export async function fillContacts(world: ConsoleWorld): Promise<FilledContacts> {
  const { ask } = world;
  await ask('POST', '/suppressions', { phone_numbers: ['+1 202 555 0176'], reason: 'asked by letter' });
  await ask('POST', '/suppressions', { phone_numbers: ['+442079460199', '+4915112345678'] });
  const checkedId = await uploadContacts(world, latin(uglyFile()), 'November recall.csv');
  await ask('PATCH', `/directories/${checkedId}`, {
    reading: { encoding: 'win1252' },
    mapping: { default_country: 'US' },
  });
  await ask('POST', `/directories/${checkedId}/check`, {});
  const guessedId = await uploadContacts(
    world,
    latin(uglyFile(uglyRows.slice(0, 6))),
    'Walk-ins October.csv',
  );
  while (Directory.parse(await ask('GET', `/directories/${checkedId}`)).state === 'importing')
    await wait(200);
  return { checkedId, guessedId };
}

/** The text in Windows-1252, as spreadsheets of western countries save it. */
export const latin = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(text, 'latin1'));
