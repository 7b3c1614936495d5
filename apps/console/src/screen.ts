import type { Operation } from '@masthead/contract/kernel/operation'
import { backofficePermission } from '@masthead/contract/kernel/permission'
import type { ComponentType } from 'react'
import type { GuardedRoute } from './shell/guard.ts'

/** A screen: where it is, what its banner says, who may see it, and the module it is in. */
export type Screen = GuardedRoute & {
  path: string
  title: string
  subtitle: string
  /** The screen draws its own banner: its title is the name of a thing. */
  ownBanner?: boolean
  /** Stands alone, without the shell. */
  bare?: boolean
  load: () => Promise<{ default: ComponentType }>
}

type Called = Pick<Operation, 'access'>
/** What a screen's first call asks for. Its type alone is taken: the operations themselves would make the start of the console larger. */
export const accessOf = <Op extends Called>(permission: Op['access']) => [permission]
export const staff = { permissions: [backofficePermission], backofficeToken: true }
export const staffFor = <Op extends Called>(permission: Op['access']) => ({
  permissions: [backofficePermission, permission],
  backofficeToken: true,
})
