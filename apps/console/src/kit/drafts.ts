import type { Operation } from '@masthead/contract/kernel/operation'
import { create } from 'zustand'
import { useSession } from '../api/session.ts'
import type { Values } from './follow.ts'

/** What was typed into forms of the backoffice that were taken away because the stay there ended: whose it is, and by form. In memory, until the page is. */
type Drafts = { by: string | undefined; forms: Readonly<Record<string, Values>> }
const drafts = create<Drafts>(() => ({ by: undefined, forms: {} }))

const own = () => useSession.getState().user?.email
const secrets = new Set(['password', 'passkey', 'code', 'secret'])

/** What makes a form the same one again: what it does, and to what. Null where nothing is to be kept. */
export function draftKey({ name, path }: Pick<Operation, 'name' | 'path'>, params: unknown): string | null {
  return path.startsWith('/backoffice/') && path !== '/backoffice/access' ? `${name} ${JSON.stringify(params ?? {})}` : null
}

/** Keeps what differs from what the form began with, if it is the access screen that it makes room for. */
export function keepDraft(key: string, began: Values, typed: Values, address = location.href): void {
  if (!/[#/]\/?masa\/access/.test(address)) return
  const changed = Object.entries(typed).filter(
    ([field, value]) => !secrets.has(field) && JSON.stringify(value) !== JSON.stringify(began[field])
  )
  if (changed.length === 0) return
  const { by, forms } = drafts.getState()
  drafts.setState({ by: own(), forms: { ...(by === own() && forms), [key]: Object.fromEntries(changed) } })
}

/** What was kept of a form, once, and for whoever typed it. */
export function takeDraft(key: string): Values | null {
  const { by, forms } = drafts.getState()
  const { [key]: draft, ...others } = forms
  if (!draft) return null
  drafts.setState({ forms: others })
  return by === own() ? draft : null
}

const anyKept = ({ by, forms }: Drafts) => by === own() && Object.keys(forms).length > 0
export const hasDrafts = (): boolean => anyKept(drafts.getState())
/** Whether something typed is kept: known once the screen that was left is gone. */
export const useHasDrafts = (): boolean => drafts(anyKept)
