import * as z from 'zod/mini'
import { Name, Time } from '../../kernel/fields.ts'
import { operation } from '../../kernel/operation.ts'
import { advisoriesUnreadable } from '../problems.ts'

/** A file of advisories that was loaded. */
export const AdvisoryLoad = z.object({
  id: z.string(),
  file_name: z.string(),
  loaded_at: Time,
  loaded_by: z.string(),
  advisories: z.int(),
  /** Documents that could not be read. */
  refused: z.int(),
})
export type AdvisoryLoad = z.output<typeof AdvisoryLoad>

/** How versions of an ecosystem are compared: by their order, or only with those that an advisory lists. */
export const AdvisoryEcosystem = z.object({ ecosystem: z.string(), advisories: z.int(), compared: z.enum(['order', 'listed']) })
export type AdvisoryEcosystem = z.output<typeof AdvisoryEcosystem>

export const getAdvisories = operation({
  name: 'backoffice.getAdvisories',
  method: 'GET',
  path: '/backoffice/advisories',
  summary: 'The advisories that images are compared with, and of which ecosystems they are',
  access: 'backoffice',
  reply: z.object({ load: z.nullable(AdvisoryLoad), ecosystems: z.array(AdvisoryEcosystem) }),
})

/**
 * Documents of OSV in JSON, one after the other: in lines, in an array, or as `unzip -p all.zip` writes them; packed with gzip or not. Streamed.
 * Nothing changes before all of it was read.
 */
export const loadAdvisories = operation({
  name: 'backoffice.loadAdvisories',
  method: 'POST',
  path: '/backoffice/advisories',
  summary: 'Load advisories in OSV format in place of all that were loaded before',
  access: 'backoffice',
  query: z.object({ name: Name }),
  takes: 'file',
  reply: z.object({
    load: AdvisoryLoad,
    /** The first 100 documents that could not be read, by their place in the file. */
    errors: z.array(z.object({ place: z.int(), words: z.string() })),
  }),
  problems: [advisoriesUnreadable],
})
