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
  page('charts', 'Charts', 'Time on one axis, one measure on the other; the numbers beside.', () =>
    import('./ChartsPage.tsx').then((module) => module.ChartsPage)
  ),
]
