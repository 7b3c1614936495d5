import { lastStaffManager } from '@masthead/contract/backoffice/problems'
import type { StaffPermission } from '@masthead/contract/kernel/permission'
import { Problem } from '@masthead/contract/kernel/problem'
import { grantStaff } from '../backoffice/index.ts'
import { Incomplete } from './command-words.ts'
import { systemActor, type App } from '../kernel/app.ts'

/** Says at the machine what somebody may do as staff. The last one who manages staff goes only where that is said (`leaveNone`). */
export async function setStaff(
  { db, clock }: App,
  email: string,
  permissions: readonly StaffPermission[],
  leaveNone: boolean
): Promise<void> {
  const actor = systemActor('', clock.now())
  try {
    await db.transaction().execute((tx) => grantStaff(tx, actor, email.toLowerCase(), permissions, { leaveNone }))
  } catch (error) {
    if (!(error instanceof Problem) || error.kind !== lastStaffManager) throw error
    throw new Incomplete(`${error.detail}, or say --leave-nobody to do it all the same.`)
  }
}
