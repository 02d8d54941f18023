import { expect, test } from '@jest/globals';
import { exportedBytes, exportedObject } from './script-data.js';

const script = (value: string) => `!function(e){e()}({1:[function(t,e,n){e.exports=${value}},{}]},{},[1]);`;

test('a minified literal is read as what it means', () => {
  expect(exportedObject(script('{a:!0,b:[!1,null,-.5,1e-7,12],"c d":{"e\\"}":"x:{[,"},none:null}'))).toEqual({
    a: true,
    b: [false, null, -0.5, 1e-7, 12],
    'c d': { 'e"}': 'x:{[,' },
    none: null,
  });
});

test('a base64 text is read as its bytes', () => {
  expect([...exportedBytes(script('"AQL/"'))]).toEqual([1, 2, 255]);
});

test.each(['{a:steal()}', '{a:1+1}', '{a:`b`}', '{a:b}', '"AQ"'])('%s is no plain object', (value) => {
  expect(() => exportedObject(script(value))).toThrow(SyntaxError);
});

test('what has no end is neither', () => {
  expect(() => exportedObject('e.exports={a:1')).toThrow(SyntaxError);
  expect(() => exportedBytes('e.exports="AQ')).toThrow(SyntaxError);
});
