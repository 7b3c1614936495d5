import { accountRegistered } from '@masthead/contract/auth/events'
import { newId } from '@masthead/contract/kernel/id'
import { operation } from '@masthead/contract/kernel/operation'
import { notFound, Problem } from '@masthead/contract/kernel/problem'
import type { House } from '@masthead/testkit/house'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import { authenticate } from '../../auth/index.ts'
import { record } from '../record.ts'
import { mount, read, write } from '../http/routes.ts'

const Note = z.object({ id: z.string(), name: z.string() })

/** A made-up write, so that the kernel is tested without an area: it makes a tag and records an event. */
export const keepNote = operation({
  name: 'assets.keepNote',
  method: 'POST',
  path: '/test/notes/{shelf}',
  summary: 'Test',
  access: 'assets.edit',
  query: z.object({ loud: z.optional(z.string()) }),
  body: z.object({ name: z.string(), answer: z.optional(z.enum(['wrong', 'problem', 'break'])) }),
  reply: Note,
  problems: [notFound],
})
export const dropNote = operation({
  name: 'assets.dropNote',
  method: 'POST',
  path: '/test/notes/{shelf}/drop',
  summary: 'Test',
  access: 'assets.edit',
  query: z.object({ loud: z.optional(z.string()) }),
  body: z.object({ name: z.string() }),
})
export const listNotes = operation({
  name: 'assets.listNotes',
  method: 'GET',
  path: '/test/notes',
  summary: 'Test',
  access: 'assets.view',
  query: z.object({ size: z._default(z.coerce.number().check(z.int(), z.maximum(9)), 3) }),
  reply: z.array(Note),
})
/** A mistake: it is mounted as a call that only reads, and deletes. */
export const clearNotes = operation({ ...listNotes, name: 'assets.clearNotes', path: '/test/notes/clear' })

export function mountNotes({ server, app }: House) {
  const routes = [
    write(keepNote, async ({ db, actor, body: { name, answer } }) => {
      const id = newId('tag', actor.at.getTime())
      await db.insertInto('tag').values({ account_id: actor.account_id, id, name, color: 'teal', created_at: actor.at }).execute()
      await record(db, actor, accountRegistered, { email: actor.email, team_name: name })
      if (answer === 'problem') throw new Problem(notFound)
      if (answer === 'break') throw new Error('a mistake of ours')
      return answer === 'wrong' ? ({ id: 7 } as never) : { id, name }
    }),
    write(dropNote, async ({ db, actor, body: { name } }) => {
      await db.deleteFrom('tag').where('account_id', '=', actor.account_id).where('name', '=', name).execute()
    }),
    read(listNotes, ({ db, actor, query: { size } }) =>
      db.selectFrom('tag').select(['id', 'name']).where('account_id', '=', actor.account_id).orderBy('id').limit(size).execute()
    ),
    read(clearNotes, async ({ db, actor }) => {
      await sql`delete from tag where account_id = ${actor.account_id}`.execute(db)
      return []
    }),
  ]
  mount(server, app, routes, { authenticate, sees: async () => true })
}
