import { lazy, type ComponentType, type LazyExoticComponent } from 'react'

export type GalleryPage = { id: string; title: string; about: string; page: LazyExoticComponent<ComponentType> }

const page = (id: string, title: string, about: string, load: () => Promise<ComponentType>): GalleryPage => ({
  id,
  title,
  about,
  page: lazy(async () => ({ default: await load() })),
})

/** Every page of the gallery; its id is its address behind the hash. Tests walk this list. */
export const pages: readonly GalleryPage[] = [
  page('buttons', 'Buttons', 'What can be pressed.', () => import('./ButtonsPage.tsx').then((module) => module.ButtonsPage)),
  page('states', 'States', 'What a thing is, in a shape, a word and a colour.', () =>
    import('./StatesPage.tsx').then((module) => module.StatesPage)
  ),
  page('fields', 'Fields', 'What can be written.', () => import('./FieldsPage.tsx').then((module) => module.FieldsPage)),
  page('choices', 'Choices', 'What can be chosen.', () => import('./ChoicesPage.tsx').then((module) => module.ChoicesPage)),
  page('more-inputs', 'Files and pairs', 'What can be handed over.', () =>
    import('./MoreInputsPage.tsx').then((module) => module.MoreInputsPage)
  ),
  page('overlays', 'Overlays', 'What stands above the page.', () => import('./OverlaysPage.tsx').then((module) => module.OverlaysPage)),
  page('toasts', 'Toasts and notices', 'What the page has to say.', () => import('./ToastsPage.tsx').then((module) => module.ToastsPage)),
  page('tables', 'Tables', 'Many things of one kind.', () => import('./TablesPage.tsx').then((module) => module.TablesPage)),
  page('windowed', 'Very many rows', 'A table as long as it gets.', () => import('./TablesPage.tsx').then((module) => module.WindowedPage)),
  page('progress', 'Progress', 'How far it is.', () => import('./ProgressPage.tsx').then((module) => module.ProgressPage)),
  page('navigation', 'Navigation', 'Ways through a screen.', () => import('./NavigationPage.tsx').then((module) => module.NavigationPage)),
  page('panels', 'Panels', 'What holds the rest.', () => import('./PanelsPage.tsx').then((module) => module.PanelsPage)),
  page('logs', 'Logs and JSON', 'What machines write.', () => import('./LogsPage.tsx').then((module) => module.LogsPage)),
  page('charts', 'Charts', 'Time on one axis, one measure on the other; the numbers beside.', () =>
    import('./ChartsPage.tsx').then((module) => module.ChartsPage)
  ),
  page('map', 'Map', 'Where things are.', () => import('./MapPage.tsx').then((module) => module.MapPage)),
  page('words', 'Words', 'One way to write sizes, times and money.', () => import('./WordsPage.tsx').then((module) => module.WordsPage)),
]
