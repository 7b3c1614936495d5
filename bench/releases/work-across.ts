import { setTimeout as pause } from 'node:timers/promises'
import { type Person, personWith, signIn } from './people.ts'

const patience = 30_000 // ms

async function comes(is: () => Promise<boolean> | boolean): Promise<boolean> {
  for (const until = performance.now() + patience; performance.now() < until; await pause(100)) if (await is()) return true
  return false
}

/** What one release does must be there for the other, at once: what is not, in words. */
export async function workAcross(owner: Person, from: string, to: string): Promise<string[]> {
  const wrong: string[] = []
  const check = (is: boolean, words: string) => is || wrong.push(words)
  const [here, there] = [owner.at(from), owner.at(to)]

  const heard = await there.hear()
  const name = `Tag ${crypto.randomUUID()}`
  const key = { 'idempotency-key': crypto.randomUUID() }
  const made = await here.post('/tags', { name }, key)
  check(made.status === 200, `a tag cannot be made: ${made.status}`)
  const again = await there.post('/tags', { name }, key)
  check(again.body.id === made.body.id, `a call that is repeated there is not answered like the first: ${again.status}`)
  const tags = (await there.get('/tags')).body.items
  check(tags?.some((tag) => tag.name === name) ?? false, 'the tag is not there')
  check(await comes(() => heard.names.has('tags.tag_created')), `its event is not heard there: ${[...heard.names].join(', ')}`)
  heard.close()

  const asset = (await here.get('/assets?sim_status=active')).body.items![0]!
  const cut = await here.post(`/assets/${asset.id}/sim/deactivate`)
  const seen = await there.get(`/assets/${asset.id}`)
  check(
    cut.status === 200 && seen.body.sim?.status === 'inactive',
    `a SIM that is deactivated is ${seen.body.sim?.status} there (${cut.status})`
  )
  const back = await there.post(`/assets/${asset.id}/sim/activate`)
  check(back.status === 200, `it cannot be activated there: ${back.status}`)

  const given = await here.post('/api-keys', { name, scopes: ['assets.view'] })
  const program = personWith({ 'x-api-key': given.body.secret ?? '' }).at(to)
  check((await program.get('/assets')).status === 200, 'an API key is not taken there')
  const other = await signIn(from, 'operator@demo.test')
  check((await other.at(to).get('/auth/user_info')).status === 200, 'who signed in is not signed in there')

  const { body: report } = await here.post('/reports', { kind: 'inventory', format: 'csv' })
  const isMade = async () => (await there.get(`/reports/${report.id}`)).body.state === 'complete'
  check(await comes(isMade), 'a report is not made')
  check((await there.get(`/reports/${report.id}/file`)).status === 200, 'the file of a report is not there')
  return wrong
}
