import { sql } from 'kysely'
import { type listRefusedSenders as listOp, RefusedKind } from '@masthead/contract/backoffice/refused-sender-operations'
import type { Parsed, Reply } from '@masthead/contract/kernel/operation'
import * as z from 'zod/mini'
import type { Db } from '../kernel/app.ts'
import { countUpToCap, decodeCursor, encodeCursor, offsetOf, TimePlace, timePlace } from '../kernel/http/paging.ts'

/** Who was not believed, the latest first. What an address sent before a gateway got it is over. */
export async function listRefusedSenders(db: Db, query: Parsed<typeof listOp>['query']): Promise<Reply<typeof listOp>> {
  const after = decodeCursor(query.after, () => z.tuple([TimePlace, z.union([z.ipv4(), z.ipv6()]), RefusedKind]))
  const all = matching(db, query)
  const rows = await all
    .$if(after !== undefined, (each) =>
      each.where(
        sql<boolean>`(r.last_at < ${after![0]} or (r.last_at = ${after![0]} and (r.address, r.kind) > (${after![1]}::inet, ${after![2]})))`
      )
    )
    .select(['r.address', 'r.kind', 'r.packets', 'r.first_at', 'r.last_at', 'g.id as gateway_id', 'g.name as gateway', 'g.disabled_at'])
    .select((eb) => timePlace(eb.ref('r.last_at')).as('place'))
    .orderBy('r.last_at', 'desc')
    .orderBy('r.address')
    .orderBy('r.kind')
    .offset(offsetOf(query))
    .limit(query.page_size + 1)
    .execute()
  const shown = rows.slice(0, query.page_size)
  const last = rows.length > shown.length ? shown.at(-1) : undefined
  return {
    items: shown.map(({ address, kind, packets, first_at, last_at, gateway_id: id, gateway: name, disabled_at }) => ({
      address,
      kind,
      packets,
      first_at: first_at.toISOString(),
      last_at: last_at.toISOString(),
      gateway: id === null || name === null ? null : { id, name, disabled: disabled_at !== null },
    })),
    ...(await countUpToCap(db, all)),
    next: last ? encodeCursor([last.place, last.address, last.kind]) : null,
  }
}

function matching(db: Db, { kind, search }: { kind?: RefusedKind | undefined; search?: string | undefined }) {
  let rows = db
    .selectFrom('refused_sender as r')
    .leftJoin('gateway_address as a', 'a.address', 'r.address')
    .leftJoin('gateway as g', 'g.id', 'a.gateway_id')
    .where(sql<boolean>`(r.kind <> 'unknown_address' or a.created_at is null or r.last_at > a.created_at)`)
  if (kind) rows = rows.where('r.kind', '=', kind)
  if (search) rows = rows.where(sql<boolean>`starts_with(host(r.address), ${search})`)
  return rows
}
