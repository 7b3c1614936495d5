import { expect, test } from 'vitest'
import { loadConfig } from './config.ts'

test('a setting that is none is named, with the one that was probably meant', () => {
  const env = { MASTHEAD_REGISTRATON: 'off', MASTHEAD_HTTP_PORT: '80', MASTHEAD_COLOUR_OF_THE_SKY: 'blue', PATH: '/bin' }
  expect(loadConfig(env).unknownVariables).toEqual([
    'MASTHEAD_COLOUR_OF_THE_SKY is not a setting of this Masthead and is ignored',
    'MASTHEAD_REGISTRATON is not a setting of this Masthead and is ignored. Did you mean MASTHEAD_REGISTRATION?',
  ])
})
