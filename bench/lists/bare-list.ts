// The reference of the list: plain Fastify and pg, in a process of its own. One statement says who asks and what they may, one fetches the
// page with all the list shows, one counts. Nothing is checked but the permission, nothing is validated, nothing is written down.
import { createHash } from 'node:crypto'
import Fastify from 'fastify'
import pg from 'pg'
import { countCap } from '@masthead/contract/kernel/page'

pg.types.setTypeParser(pg.types.builtins.INT8, Number)
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 12 })

const session = `select coalesce(m.account_id, p.account_id) as account_id, m.permissions, m.tags
  from session s join person p on p.id = s.person_id left join membership m on m.account_id = s.acting_as and m.person_id = p.id
  where s.id_hash = $1 and s.expires_at > $2`

const matching: Record<string, string> = {
  sim_status: 'asset.sim_status = $2',
  type: 'asset.type = $2',
  tag: 'exists (select from asset_tag t where t.account_id = asset.account_id and t.asset_id = asset.id and t.tag_id = $2)',
  search: 'asset.search like lower($2)',
}

const rows = (condition: string) => `select a.id, a.name, a.type, a.serial, a.created_at, to_json(s) as sim,
    array(select imsi from sim_imsi i where i.account_id = a.account_id and i.sim_id = a.sim_id order by position) as imsis,
    array(select json_build_object('id', tag.id, 'name', tag.name, 'color', tag.color) from asset_tag t join tag on tag.account_id = t.account_id
      and tag.id = t.tag_id where t.account_id = a.account_id and t.asset_id = a.id order by lower(tag.name)) as tags,
    c.period_start, c.bytes_up, c.bytes_down, c.seen_at, to_json(d) as session
  from (select * from asset where account_id = $1 and ${condition} order by lower(name), id limit 11) a
  left join sim s on s.account_id = a.account_id and s.id = a.sim_id
  left join sim_counter c on c.account_id = a.account_id and c.sim_id = a.sim_id
  left join lateral (select * from data_session d where d.account_id = a.account_id and d.sim_id = a.sim_id and d.ended_at is null
    and not d.superseded order by d.started_at desc limit 1) d on true
  order by lower(a.name), a.id`

const counted = (kind: string, condition: string) =>
  kind === 'sim_status' || kind === 'type'
    ? `select coalesce(sum(count), 0) as count from asset_count where account_id = $1 and ${kind} = $2`
    : `select count(*) as count from (select 1 from asset where account_id = $1 and ${condition} limit ${countCap + 1}) counted`

const server = Fastify()
server.get('/list', async (request, reply) => {
  const [, secret = ''] = (request.headers.cookie ?? '').split('masthead_session=')
  const hash = createHash('sha256').update(secret).digest()
  const {
    rows: [who],
  } = await pool.query({ name: 'session', text: session, values: [hash, new Date()] })
  if (!who) return reply.code(401).send()
  if (who.permissions && !who.permissions.includes('assets.view')) return reply.code(403).send()
  const [[kind, value]] = Object.entries(request.query as Record<string, string>) as [[string, string]]
  const values = [who.account_id, kind === 'search' ? `%${value}%` : value]
  // A plan for whatever is searched for would be a wrong one: each search is planned by itself.
  const named = (text: string, name: string) => (kind === 'search' ? { text, values } : { name: `${name} ${kind}`, text, values })
  const condition = matching[kind]!
  const page = await pool.query(named(rows(condition), 'rows'))
  const count = await pool.query(named(counted(kind, condition), 'count'))
  const total = count.rows[0].count
  return {
    items: page.rows.slice(0, 10),
    total: Math.min(total, countCap),
    total_capped: total > countCap,
    next: page.rows[10]?.id ?? null,
  }
})
await server.listen({ host: '127.0.0.1', port: 0 })
process.send!({ port: (server.server.address() as { port: number }).port })
process.on('disconnect', () => process.exit(0))
