import { describe, expect, it } from '@jest/globals';
import { detectLanguage } from './detect-language.js';

describe('detectLanguage', () => {
  it.each<[string, string]>([
    ['zh', '这是一个关于数据库的文档。API 的使用方法如下。'],
    ['ja', '日本語の文書です。漢字が多い文章でも仮名で分かります。'],
    ['ko', '이것은 한국어 문서입니다.'],
    ['ru', 'Это документ о базе данных.'],
    ['ar', 'هذا مستند عن قاعدة البيانات'],
    ['he', 'זהו מסמך על מסד הנתונים'],
    ['el', 'Αυτό είναι ένα έγγραφο'],
    ['en', 'This is the documentation of the database, and it is for you.'],
    ['de', 'Das ist die Dokumentation der Datenbank und sie ist nicht sehr lang.'],
    ['fr', 'Ceci est la documentation de la base de données et elle est dans le dossier.'],
    ['es', 'Esta es la documentación de la base de datos y no es para los usuarios.'],
  ])('knows %s', (language, text) => {
    expect(detectLanguage(text)).toBe(language);
  });

  it.each(['', '12345 67', '```\nx = y\n```', 'Lorem ipsum dolor'])('does not guess at %j', (text) => {
    expect(detectLanguage(text)).toBeUndefined();
  });

  it('is not misled by a few words of another script', () => {
    expect(detectLanguage('This is the manual of the 数据库, and it is for you to read.')).toBe('en');
  });
});
