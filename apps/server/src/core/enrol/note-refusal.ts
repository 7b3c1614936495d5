import { RefusalCode } from '@masthead/contract/core/enrolment'
import type { Problem } from '@masthead/contract/kernel/problem'
import { enrolmentRefused } from '@masthead/contract/signals'
import { sql } from 'kysely'
import type { Tx } from '../../kernel/app.ts'
import { publish } from '../../kernel/live/publish.ts'
import type { Asker } from './enrol-device.ts'
import type { FoundToken } from './find-deployment.ts'

/** So many ICCIDs that were never anything but refused are kept of a deployment: whoever has its token could send any number of them. */
const mostRefused = 1000

/** The code of a problem that is the device's, and not ours. */
export const refusalOf = ({ kind }: Problem): RefusalCode | undefined => RefusalCode.safeParse(kind.code).data

/** Keeps that a device was refused, and why: each ICCID is one line, as it was answered last. */
export async function noteRefusal(
  tx: Tx,
  { account_id, deployment_id }: FoundToken,
  { iccid, at, ip }: Asker,
  refused_code: RefusalCode
): Promise<void> {
  await sql`insert into core_enrolment (account_id, deployment_id, iccid, refused_code, first_at, last_at, ip)
    select ${account_id}, ${deployment_id}, ${iccid}, ${refused_code}, ${at}, ${at}, ${ip}
    from core_deployment where account_id = ${account_id} and id = ${deployment_id}
    on conflict (account_id, deployment_id, iccid) do update
      set refused_code = excluded.refused_code, last_at = excluded.last_at, ip = excluded.ip, asked = core_enrolment.asked + 1`.execute(tx)
  await sql`delete from core_enrolment where account_id = ${account_id} and deployment_id = ${deployment_id} and iccid in (
    select iccid from core_enrolment where account_id = ${account_id} and deployment_id = ${deployment_id} and enrolled_at is null
    order by last_at desc, iccid offset ${mostRefused})`.execute(tx)
  await publish(tx, account_id, enrolmentRefused)
}
