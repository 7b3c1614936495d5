import { useEffect, useState } from 'react'
import { menu } from '../menu.ts'
import type { MenuGroup } from './menu.ts'

/** Loaded once, and kept. */
let staff: MenuGroup | undefined

/** The groups of the sidebar; that of the backoffice with the first of its screens. */
export function useMenu(backoffice: boolean, address: string): MenuGroup[] {
  const [, come] = useState(staff)
  useEffect(() => {
    if (!backoffice || staff) return
    // Without a network it is tried again on the next screen.
    void import('../staff-menu.ts').then(
      ({ staffMenu }) => come((staff = staffMenu)),
      () => {}
    )
  }, [backoffice, address])
  return staff ? [...menu, staff] : menu
}
