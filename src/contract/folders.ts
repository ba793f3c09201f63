import { z } from 'zod';
import { DateTime, ErrorBody, IdempotencyHeaders, notFound, PathInteger } from './common.ts';
import { record } from './lax/collections.ts';
import { text } from './lax/text.ts';
import { route } from './route.ts';

/** Contract 15.2. */
const name = text({ min: 1, max: 100 });
export const CreateFolderRequest = record({ name }).meta({
  id: 'CreateFolderRequest',
  description: 'A new folder with its name.',
});
export const UpdateFolderRequest = record({ name }).meta({
  id: 'UpdateFolderRequest',
  description: 'The new name of a folder.',
});

export const Folder = z
  .object({ id: z.int(), name: z.string(), created_at: DateTime })
  .meta({ id: 'Folder', description: 'A folder that groups agents in lists.' });
export type Folder = z.infer<typeof Folder>;

export const DeletedFolder = z
  .object({ status: z.literal('deleted'), id: z.int() })
  .meta({ id: 'DeletedFolder', description: 'Confirmation of the deletion.' });
export type DeletedFolder = z.infer<typeof DeletedFolder>;

const tag = 'Folders';
const FolderPath = record({ folder_id: PathInteger });
const unknown = notFound("No such folder in the caller's organization.");
const taken = { description: 'Another folder has this name.', schema: ErrorBody };

export const listFolders = route({
  method: 'get',
  path: '/folder/',
  id: 'listFolders',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'List folders',
  description: 'Returns folders, sorted by name.',
  answers: { 200: { description: 'The folders.', schema: z.array(Folder) } },
});

export const createFolder = route({
  method: 'post',
  path: '/folder/',
  id: 'createFolder',
  tag,
  auth: 'key',
  scope: 'agents:write',
  summary: 'Create a folder',
  description: 'Creates a folder. Its name must be unique in the organization.',
  headers: IdempotencyHeaders,
  body: CreateFolderRequest,
  answers: { 200: { description: 'The folder.', schema: Folder }, 409: taken },
});

export const renameFolder = route({
  method: 'put',
  path: '/folder/{folder_id}',
  id: 'renameFolder',
  tag,
  auth: 'key',
  scope: 'agents:write',
  summary: 'Rename a folder',
  description: 'The agents stay in the folder.',
  params: FolderPath,
  body: UpdateFolderRequest,
  answers: { 200: { description: 'The renamed folder.', schema: Folder }, 404: unknown, 409: taken },
});

export const deleteFolder = route({
  method: 'delete',
  path: '/folder/{folder_id}',
  id: 'deleteFolder',
  tag,
  auth: 'key',
  scope: 'agents:write',
  summary: 'Delete a folder',
  description: 'The agents of the folder are kept. They are in no folder afterwards.',
  params: FolderPath,
  answers: { 200: { description: 'Deleted.', schema: DeletedFolder }, 404: unknown },
});
