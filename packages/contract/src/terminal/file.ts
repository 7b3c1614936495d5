import * as z from 'zod/mini'

/** Bytes of a file that goes through a terminal. */
export const largestFile = 1024 ** 3
/** Files that are on their way at once, through one terminal. */
export const mostFiles = 3
/** Letters of a path, as it is typed. */
export const longestPath = 1000

/** Why a file did not come to where it was to go. */
export const fileEnds = {
  exists: 'There is a file of this name already',
  no_space: 'The device has no room for it',
  no_right: 'The user of the shell may not do this',
  not_there: 'There is no such file or folder',
  not_a_file: 'This is not a file',
  too_large: 'A file has at most 1 GB',
  changed: 'The file changed while it was read',
  checksum: 'What arrived has another SHA-256 than what was sent: it was thrown away',
  device: 'The device could not do it',
  not_supported: 'The agent on the device takes no files',
  no_answer: 'The device did not come for the file within 20 s',
  device_left: 'The connection to the device broke for more than a minute',
  left: 'The window was closed for more than a minute',
  cancelled: 'It was cancelled',
  watching: 'Only whoever types may send and fetch files',
  too_many: `${mostFiles} files are on their way already`,
  not_allowed: 'The person lost access',
  session_over: 'The terminal session is over',
  not_understood: 'What came with it was not understood',
} as const
export const FileEnd = z.enum(Object.keys(fileEnds) as [keyof typeof fileEnds])
export type FileEnd = keyof typeof fileEnds

/** To the device, or from it. */
export const FileWay = z.enum(['up', 'down'])
export type FileWay = z.output<typeof FileWay>

/** What a member needs for files, beside what a terminal takes. */
export const filesAccess = { access: 'terminal.files' } as const
