import { expect, test } from 'vitest'
import { DesiredContainer, Image, ReportedContainer } from '../devices/agent/container.ts'
import { readImage } from './image-reference.ts'

const [short, long] = [`sha256:${'a'.repeat(64)}`, `sha512:${'b'.repeat(128)}`]

test.each([
  ['alpine', 'alpine', null, null],
  ['alpine:3.20', 'alpine', '3.20', null],
  ['localhost/relay', 'localhost/relay', null, null],
  ['registry.example.com:5000/acme/relay:2.4', 'registry.example.com:5000/acme/relay', '2.4', null],
  ['registry.example.com:5000/acme/relay', 'registry.example.com:5000/acme/relay', null, null],
  [`acme/relay@${short}`, 'acme/relay', null, short],
  [`acme/sensors/door:v1@${long}`, 'acme/sensors/door', 'v1', long],
])('%s is read in its parts, and a container may name it', (image, name, tag, digest) => {
  expect(readImage(image)).toEqual({ name, tag, digest })
  expect(Image.safeParse(image).success).toBe(true)
})

test.each([
  '',
  'acme/',
  'acme/relay:',
  'acme//relay',
  `acme/relay@sha512:${'b'.repeat(64)}`,
  `acme/relay@sha1:${'a'.repeat(40)}`,
  'a:b:c',
  'http://a/b',
])('“%s” is no image', (image) => {
  expect(readImage(image)).toBeNull()
  expect(Image.safeParse(image).success).toBe(false)
})

test('an image that was taken before it was read so is sent to its device, whose other containers go on', () => {
  const { image } = DesiredContainer.shape
  expect(image.safeParse('relay:1:2').success).toBe(true)
})

test('a device may say of each digest that it runs it', () => {
  const { digest } = ReportedContainer.shape
  for (const each of [short, long]) expect(digest.safeParse(each).success).toBe(true)
})

test('an image has room for a host, a repository, a tag and a digest by sha512, where it is entered, sent to a device and said by it', () => {
  const long512 = `registry.field.example.com:5000/acme/${'sensors/'.repeat(20)}door:${'v'.repeat(128)}@${long}`
  expect(long512.length).toBeGreaterThan(450)
  const longest = `a${'b'.repeat(599)}`
  for (const shape of [Image, DesiredContainer.shape.image, ReportedContainer.shape.image]) {
    expect(shape.safeParse(long512).success).toBe(true)
    expect(shape.safeParse(longest).success).toBe(true)
    expect(shape.safeParse(`${longest}c`).success).toBe(false)
  }
})
