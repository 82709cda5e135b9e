import { describe, expect, it } from 'vitest';
import { mergedValues, mergeOf } from './merge.ts';

const base = { name: 'Luna', price: '0', notes: '', isActive: true };

describe('the merge of two edits of one record', () => {
  it('keeps fields that only one person changed, on either side', () => {
    const mine = { ...base, name: 'Luna nueva' };
    const merge = mergeOf({ base, mine, current: { name: 'Luna', price: 0, notes: 'vista', isActive: false } });
    expect(merge).toMatchObject({ conflicting: [], fromTheirs: ['notes', 'isActive'], fromMine: ['name'] });
    expect(mergedValues(merge, mine, {})).toEqual({ name: 'Luna nueva', price: '0', notes: 'vista', isActive: false });
  });

  it('reports a conflict only for fields that both changed, and resolves each separately', () => {
    const mine = { ...base, name: 'Luna nueva', price: '3', notes: 'mía' };
    const merge = mergeOf({ base, mine, current: { name: 'Luna llena', price: 2, notes: null, isActive: true } });
    expect(merge).toMatchObject({ conflicting: ['name', 'price'], fromTheirs: [], fromMine: ['notes'] });
    expect(mergedValues(merge, mine, { name: 'theirs', price: 'mine' })).toEqual({
      name: 'Luna llena',
      price: '3',
      notes: 'mía',
      isActive: true,
    });
  });

  it('reports no conflict when both entered the same value', () => {
    const merge = mergeOf({ base, mine: { ...base, price: '2.0' }, current: { price: 2 } });
    expect(merge).toMatchObject({ conflicting: [], fromTheirs: [], fromMine: [] });
  });

  it('compares numbers, null and booleans as the form represents them', () => {
    const empty = { figure: '0.0000001', text: '', flag: false };
    expect(mergeOf({ base: empty, mine: empty, current: { figure: 1e-7, text: null, flag: false } })).toMatchObject({
      theirs: empty,
      fromTheirs: [],
    });
    const { theirs } = mergeOf({ base: empty, mine: empty, current: { figure: 1e-8, text: 'x', flag: true } });
    expect(theirs).toEqual({ figure: '0.00000001', text: 'x', flag: true });
  });

  it('compares names as text: 1e3 and 1000 are different', () => {
    const merge = mergeOf({ base, mine: { ...base, name: '1e3' }, current: { name: '1000' } });
    expect(merge.conflicting).toEqual(['name']);
  });

  it('reports a conflict for a whole group of related fields when both changed some of them', () => {
    const start = { status: 'approved', answer: 'Bienvenida', notes: '' };
    const mine = { ...start, status: 'rejected', answer: 'Bienvenida' };
    const current = { status: 'approved', answer: 'Bienvenida, Inés', notes: '' };
    const together = [['status', 'answer']];
    expect(mergeOf({ base: start, mine, current, together }).conflicting).toEqual(['status', 'answer']);
    expect(mergeOf({ base: start, mine: start, current, together })).toMatchObject({
      conflicting: [],
      fromTheirs: ['answer'],
    });
  });
});
