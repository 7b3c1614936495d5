import type { createTariff as createOp, TariffEffect, TariffWithVersions } from '@masthead/contract/backoffice/tariff-operations'
import { tariffCreated, tariffVersionAdded, tariffVersionWithdrawn } from '@masthead/contract/backoffice/staff-actions'
import { termsMistake, type TariffTerms } from '@masthead/contract/billing/tariff'
import { tariffNameTaken, versionInPast, versionNeeded, versionValid } from '@masthead/contract/billing/tariff-problems'
import { idKind, newId } from '@masthead/contract/kernel/id'
import type { Parsed } from '@masthead/contract/kernel/operation'
import { invalidRequest, notFound, Problem } from '@masthead/contract/kernel/problem'
import { dayOf } from '@masthead/contract/kernel/time'
import { sql } from 'kysely'
import { recordStaff } from '../../backoffice/index.ts'
import type { Actor, Tx } from '../../kernel/app.ts'
import { addJob } from '../../kernel/jobs/jobs.ts'
import { getTariffEffect } from './tariff-effect.ts'
import { getTariff } from './tariff-queries.ts'

const tariffId = idKind('trf')

/** Throws invalid_request, tariff_name_taken, tariff_version_in_past. */
export async function createTariff(
  tx: Tx,
  actor: Actor,
  { name, currency, is_standard, version }: Parsed<typeof createOp>['body']
): Promise<TariffWithVersions> {
  const id = newId(tariffId, actor.at.getTime())
  if (is_standard) await tx.updateTable('tariff').set({ is_standard: false }).where('is_standard', '=', true).execute()
  const made = await tx
    .insertInto('tariff')
    .values({ id, name, currency, is_standard, created_at: actor.at, created_by: actor.email })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!made) throw new Problem(tariffNameTaken, `There is a price list "${name}" already`)
  await insertVersion(tx, actor, id, version)
  await recordStaff(tx, actor, tariffCreated, { tariff_name: name, currency }, { target: name, after: { currency, version } })
  return getTariff(tx, actor.at, id)
}

/** Plans a version. Throws not_found, invalid_request, tariff_version_in_past. */
export async function addTariffVersion(tx: Tx, actor: Actor, id: string, terms: TariffTerms): Promise<TariffWithVersions> {
  const tariff_name = await lockTariff(tx, id)
  const number = await insertVersion(tx, actor, id, terms)
  const { effective_from } = terms
  await recordStaff(tx, actor, tariffVersionAdded, { tariff_name, number, effective_from }, { target: tariff_name, after: { ...terms } })
  await addJob(tx, 'billing.announce_prices', {})
  return getTariff(tx, actor.at, id)
}

/** What a version would have made of the last month: it is planned, looked at and taken back, so that both say the same. Throws not_found, invalid_request, tariff_version_in_past. */
export async function previewTariffVersion(tx: Tx, actor: Actor, id: string, terms: TariffTerms): Promise<TariffEffect> {
  await lockTariff(tx, id)
  await sql`savepoint typed`.execute(tx)
  const effect = await getTariffEffect(tx, actor.at, id, await insertVersion(tx, actor, id, terms))
  await sql`rollback to savepoint typed`.execute(tx)
  return effect
}

/** Takes a version back that is not valid yet. Throws not_found, tariff_version_valid, tariff_version_needed. */
export async function withdrawTariffVersion(tx: Tx, actor: Actor, id: string, number: number): Promise<TariffWithVersions> {
  const tariff_name = await lockTariff(tx, id)
  const version = await tx
    .selectFrom('tariff_version')
    .select('effective_from')
    .where('tariff_id', '=', id)
    .where('number', '=', number)
    .executeTakeFirst()
  if (!version) throw new Problem(notFound)
  if (version.effective_from <= dayOf(actor.at)) throw new Problem(versionValid)
  // Without one that is valid nothing would be charged.
  const { rows: needed } = await sql`select from account_tariff a where a.tariff_id = ${id} and not exists (select from tariff_version v
    where v.tariff_id = a.tariff_id and v.number <> ${number} and v.effective_from <= a.from_day) limit 1`.execute(tx)
  if (needed.length > 0) throw new Problem(versionNeeded)
  await tx.deleteFrom('tariff_version').where('tariff_id', '=', id).where('number', '=', number).execute()
  await recordStaff(tx, actor, tariffVersionWithdrawn, { tariff_name, number }, { target: tariff_name, before: version })
  await addJob(tx, 'billing.announce_prices', {})
  return getTariff(tx, actor.at, id)
}

/** Its name. Throws not_found. */
async function lockTariff(tx: Tx, id: string): Promise<string> {
  const row = await tx.selectFrom('tariff').select('name').where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
  if (!row) throw new Problem(notFound)
  return row.name
}

/** Its number. A number is used once: that of a version that was withdrawn is not given again. */
async function insertVersion(tx: Tx, actor: Actor, tariff_id: string, terms: TariffTerms): Promise<number> {
  const mistake = termsMistake(terms)
  if (mistake) throw new Problem(invalidRequest, mistake.words, { fields: { [mistake.field]: mistake.words } })
  const { zones, fees, effective_from, block_bytes, rounding_scope, kb } = terms
  const { rows } = await sql<{
    number: number
    day: string | null
  }>`update tariff t set last_number = last_number + 1 where id = ${tariff_id}
    returning last_number as number, (select max(v.effective_from)::text from tariff_version v where v.tariff_id = t.id) as day`.execute(tx)
  const { number, day } = rows[0]!
  // What of today was used is priced already, where a version is valid.
  const isTooEarly = day === null ? effective_from < dayOf(actor.at) : effective_from <= day || effective_from <= dayOf(actor.at)
  if (isTooEarly) {
    throw new Problem(versionInPast, undefined, { fields: { effective_from: versionInPast.title } })
  }
  await tx
    .insertInto('tariff_version')
    .values({
      tariff_id,
      number,
      effective_from,
      block_bytes,
      rounding_scope,
      kb,
      fees: JSON.stringify(fees),
      created_at: actor.at,
      created_by: actor.email,
    })
    .execute()
  const rowsOfZones = zones.map(({ id, name, price_micros }, place) => ({ tariff_id, number, id, place, name, price_micros }))
  await tx.insertInto('tariff_zone').values(rowsOfZones).execute()
  const networks = zones.flatMap((zone) => zone.networks.map((network) => ({ tariff_id, number, network, zone_id: zone.id })))
  await sql`insert into tariff_network (tariff_id, number, network, zone_id)
    select * from jsonb_to_recordset(${JSON.stringify(networks)}::jsonb) as given (tariff_id text, number integer, network text, zone_id text)`.execute(
    tx
  )
  return number
}
