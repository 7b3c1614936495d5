import { expect, test } from 'vitest'
import { fromDevice, toDevice } from './clean-headers.ts'

test('a cookie that a device sets is for its own name, however its domain is written, and none of ours, also without a name', () => {
  const set = (...cookies: string[]) => fromDevice({ 'set-cookie': cookies })['set-cookie']
  expect(set('light=on; Domain=masthead.test; Path=/', 'dim=1;DOMAIN =.test;Secure', 'far=1; domain\t=test', 'off=1; Domain')).toEqual([
    'light=on; Path=/',
    'dim=1;Secure',
    'far=1',
    'off=1',
  ])
  expect(set('domain=1; Path=/', 'lamp="domain=1"')).toEqual(['domain=1; Path=/', 'lamp="domain=1"'])
  expect(set('masthead_session=x', ' Masthead_step=x', '=masthead_session=x', '= __Host-masthead_device=x')).toBeUndefined()
})

test('no cookie of ours goes to a device', () => {
  const headers = { cookie: 'light=on; masthead_step=x; =masthead_session=y; dim=1' }
  expect(toDevice({ headers, from: '203.0.113.9', protocol: 'https' }).cookie).toBe('light=on; dim=1')
})
