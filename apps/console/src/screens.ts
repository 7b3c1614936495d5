import { customerScreens } from './customer-screens.ts'
import { publicScreens } from './public-screens.ts'
import type { Screen } from './screen.ts'
import { staffScreens } from './staff-screens.ts'

export type { Screen }

/** Every screen. Router, menu (menu.ts) and guard read this list. */
export const screens: Screen[] = [...customerScreens, ...staffScreens, ...publicScreens]
