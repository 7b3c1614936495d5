import { sql } from 'kysely'
import { iccidForms } from '@masthead/contract/assets/iccid'
import type { Db } from '../kernel/app.ts'

export type Whose = { imsi?: string | undefined; iccid?: string | undefined; msisdn?: string | undefined }
export type KnownSim = { account_id: string; id: string; asset_id: string; created_at: number; imsi: string | null; msisdn: string | null }
type Row = KnownSim & { by: 'imsi' | 'iccid' | 'msisdn'; number: string }

/** The SIMs that rows are about, by the first number that each gives. An IMSI that nobody has is not overruled by another number. */
export async function findSims(db: Db, rows: readonly Whose[]): Promise<(row: Whose) => KnownSim | null> {
  const imsis = new Set(rows.flatMap(({ imsi }) => imsi ?? []))
  const iccids = new Set(rows.flatMap(({ imsi, iccid }) => (imsi ? [] : iccid ? iccidForms(iccid) : [])))
  const msisdns = new Set(rows.flatMap(({ imsi, iccid, msisdn }) => (imsi || iccid ? [] : (msisdn ?? []))))
  const about = sql`s.account_id, s.id, s.asset_id, (extract(epoch from s.created_at) * 1000)::float8 as created_at, s.msisdn`
  const first = sql`(select imsi from sim_imsi o where o.account_id = s.account_id and o.sim_id = s.id order by position limit 1) as imsi`
  const { rows: found } = await sql<Row>`
    select 'imsi' as by, i.imsi as number, ${about}, i.imsi from unnest(${[...imsis]}::text[]) as k(imsi)
      join sim_imsi i on i.imsi = k.imsi join sim s on s.account_id = i.account_id and s.id = i.sim_id
    union all select 'iccid', s.iccid, ${about}, ${first} from unnest(${[...iccids]}::text[]) as k(iccid) join sim s on s.iccid = k.iccid
    union all select 'msisdn', s.msisdn, ${about}, ${first} from unnest(${[...msisdns]}::text[]) as k(msisdn) join sim s on s.msisdn = k.msisdn`.execute(
    db
  )
  const sims = new Map(found.map(({ by, number, ...sim }) => [`${by} ${number}`, sim]))
  return ({ imsi, iccid, msisdn }) => {
    const names = imsi ? [`imsi ${imsi}`] : iccid ? iccidForms(iccid).map((form) => `iccid ${form}`) : [`msisdn ${msisdn}`]
    return names.flatMap((name) => sims.get(name) ?? [])[0] ?? null
  }
}
