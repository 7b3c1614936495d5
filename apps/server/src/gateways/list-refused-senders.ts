import { sql } from 'kysely'
import type { listRefusedSenders as listOp, RefusedKind } from '@masthead/contract/backoffice/refused-sender-operations'
import type { Parsed, Reply } from '@masthead/contract/kernel/operation'
import type { Db } from '../kernel/app.ts'
import { pageByKey } from '../kernel/http/page-by-key.ts'

/** Who got no answer, the latest first. What an address sent before a gateway got it is over. */
export async function listRefusedSenders(db: Db, query: Parsed<typeof listOp>['query']): Promise<Reply<typeof listOp>> {
  return pageByKey(db, query, {
    name: 'refused_senders',
    all: matching(db, query),
    keys: [
      { of: sql.ref('r.last_at'), is: 'time' },
      { of: sql.ref('r.address'), is: 'address' },
      { of: sql.ref('r.kind'), is: 'text' },
    ],
    order: 'desc',
    rows: (page) =>
      page.select([
        'r.address',
        'r.kind',
        'r.packets',
        'r.first_at',
        'r.last_at',
        'g.id as gateway_id',
        'g.name as gateway',
        'g.disabled_at',
      ]),
    items: (rows) =>
      rows.map(({ first_at, last_at, gateway_id: id, gateway: name, disabled_at, ...row }) => ({
        ...row,
        first_at: first_at.toISOString(),
        last_at: last_at.toISOString(),
        gateway: id === null || name === null ? null : { id, name, disabled: disabled_at !== null },
      })),
  })
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
