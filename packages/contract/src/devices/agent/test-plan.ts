import type { DesiredContainer } from './container.ts'

/** A container as it is wanted: one that runs, or what `parts` say of it. */
export const wantedOf = (parts: Partial<DesiredContainer> & { name: string }): DesiredContainer => ({
  generation: 1,
  restart: 1,
  run: 'running',
  image: `acme/${parts.name}:1`,
  ports: [],
  volumes: [],
  environment: [],
  restart_policy: 'always',
  health: null,
  ...parts,
})

export const itFailed = { words: 'It ended', at: '2026-11-25T10:00:00.000Z' }
